// Bugs in C that the rules were not made for. Usage: mailer BUG ROUTE VALUE.
#include <ctype.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(x) (sizeof(x) / sizeof *(x))

typedef struct message {
  char *subject;
  struct message *reply;
  int parts;
} message;

volatile long spent;
static int seed;

#ifdef SECOND
static void trace(const char *format, ...) {
  char line[200];
  va_list arguments;
  va_start(arguments, format);
  spent += vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
}
#else
#define trace(...) (spent++)
#endif

static message *volatile inbox;

// k01
int subject_length(const message *mail) {
  trace("subject %d", seed);
  size_t length = strlen(mail->subject);
  spent += (long)length;
  return (int)length + 1;
}

// k02
static void bounce_panic(const char *why) {
  fputs(why, stderr);
  fflush(stderr);
  abort();
}

int queue_push(int *queue, int used, int limit) {
  trace("push %d", used);
  if (used >= limit) bounce_panic("the queue is full\n");
  queue[used] = seed;
  return used + 1;
}

// k03
int queue_pop(int *queue, int used) {
  trace("pop %d", used);
  if (used <= 0) bounce_panic("the queue is empty\n");
  int first = queue[0];
  queue[0] = queue[used - 1];
  return first;
}

// k04
char *header_fold(const char *text) {
  trace("fold %s", text);
  char *copy = malloc(24);
  for (int i = 0; i < 23; i++) copy[i] = (char)toupper((unsigned char)text[i % 3]);
  char *inside = copy + 8;
  spent += inside[0];
  char *bigger = realloc((void *)((long)inside + (spent & 0)), 4000);
  spent++;
  return bigger;
}

// k05
int thread_count(const message *mail, int depth) {
  char trail[64];
  snprintf(trail, sizeof trail, "%d", depth);
  if (mail == NULL) return trail[0];
  return thread_count(mail->reply, depth + 1) + trail[1];
}

// k06
int rate(int sent, int seconds) {
  trace("rate %d", sent);
  int perSecond = sent % seconds;
  spent += perSecond;
  return perSecond * 60;
}

typedef struct {
  const char *name;
  int (*run)(int);
} command;

static int run_subject(int how) {
  message mail = {0};
  return subject_length(how ? &mail : inbox);
}
static int run_push(int how) {
  int queue[4];
  return queue_push(queue, how ? 4 : 4 + seed, 4) + queue[0];
}
static int run_pop(int how) {
  int queue[4] = {0};
  return queue_pop(queue, how ? 0 : -seed) + queue[0];
}
static int run_fold(int how) {
  return header_fold(how ? "abc" : "xyz")[0];
}
static int run_thread(int how) {
  message mail = {"a", NULL, how};
  mail.reply = &mail;
  return thread_count(&mail, seed);
}
static int run_rate(int how) {
  volatile int none = 0;
  return rate(how ? 100 : seed, none);
}

static const command commands[] = {{"subject", run_subject}, {"push", run_push}, {"pop", run_pop},
                                   {"fold", run_fold},       {"thread", run_thread}, {"rate", run_rate}};

static void *serve(void *argument) {
  const int *what = argument;
  spent += commands[what[0]].run(what[1]);
  return NULL;
}

static int rerun(const command *what, int times) {
  int sum = 0;
  while (times-- > 0) sum += what->run(1);
  return sum;
}

int main(int count, char **arguments) {
  if (count < 4) return 2;
  int what[] = {atoi(arguments[1]) - 1, 0};
  int route = atoi(arguments[2]);
  seed = atoi(arguments[3]);
  if ((size_t)what[0] >= COUNT(commands)) return 2;
  if (route == 1 || route == 3) {
    pthread_t thread;
    what[1] = route == 3;
    pthread_create(&thread, NULL, serve, what);
    pthread_join(thread, NULL);
  } else if (route == 2) {
    spent += rerun(&commands[what[0]], 2);
  } else {
    spent += commands[what[0]].run(0);
  }
  return spent == 77;
}
