#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "words.h"

#include <errno.h>

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
#define SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV (1UL << 5)
#endif

#if defined(__x86_64__)
#define OUR_ARCHITECTURE AUDIT_ARCH_X86_64
#else
#define OUR_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

enum { process_limit = 64, vector_limit = 16 };

/// The newest bytes of one process, as a ring: `written` counts all bytes that ever went in.
typedef struct {
  pid_t process;
  uint64_t used_at;
  uint64_t written;
  char text[mt_words_capacity];
} process_words;

struct mt_words {
  int child_end;   // the child sends the listener here …
  int parent_end;  // … and we take it here
  int keeper_end;  // the keeper takes over when this closes
  pid_t keeper;
  int listener;
  int wake[2];
  pthread_t thread;
  bool serving;
  /// The notification being answered, in memory that the keeper shares: it answers what we left unanswered.
  struct seccomp_notif *in_hand;
  pthread_mutex_t lock;
  uint64_t clock;
  process_words processes[process_limit];
};

static int install_filter(void) {
  struct sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OUR_ARCHITECTURE, 0, 6),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_write, 1, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_writev, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, STDERR_FILENO, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof code / sizeof *code, code};
  static const unsigned long flags[] = {
      SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV, SECCOMP_FILTER_FLAG_NEW_LISTENER};
  for (int attempt = 0; attempt < 4; attempt++) {
    // Privileged programs need no promise about new privileges; so others make it only where they must.
    if (attempt == 2 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) return -1;
    int listener = (int)syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, flags[attempt % 2], &program);
    if (listener >= 0) return listener;
  }
  return -1;
}

static int send_descriptor(int socket, int descriptor) {
  char byte = 'l';
  struct iovec data = {&byte, 1};
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(sizeof(int))];
  } control;
  memset(&control, 0, sizeof control);
  struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  control.header.cmsg_level = SOL_SOCKET;
  control.header.cmsg_type = SCM_RIGHTS;
  control.header.cmsg_len = CMSG_LEN(sizeof(int));
  memcpy(CMSG_DATA(&control.header), &descriptor, sizeof(int));
  ssize_t count;
  while ((count = sendmsg(socket, &message, MSG_NOSIGNAL)) < 0 && errno == EINTR) {}
  return count == 1 ? 0 : -1;
}

static int receive_descriptor(int socket) {
  char byte;
  struct iovec data = {&byte, 1};
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(sizeof(int))];
  } control;
  struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  ssize_t count;
  while ((count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) {}
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  if (count != 1 || !header || header->cmsg_type != SCM_RIGHTS) return -1;
  int descriptor = -1;
  memcpy(&descriptor, CMSG_DATA(header), sizeof(int));
  return descriptor;
}

int mt_words_install(mt_words *words) {
  int listener = install_filter();
  if (listener < 0) return 0;
  int outcome = send_descriptor(words->child_end, listener);
  close(listener);
  return outcome;
}

static void go_on(int listener, uint64_t id) {
  struct seccomp_notif_resp answer;
  memset(&answer, 0, sizeof answer);
  answer.id = id;
  answer.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
  while (ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer) < 0 && errno == EINTR) {}
}

/// Waits for a notification; false where no process has the filter any more, or `wake` was touched.
static bool await_notification(int listener, int wake) {
  struct pollfd states[2] = {{.fd = listener, .events = POLLIN}, {.fd = wake, .events = POLLIN}};
  while (true) {
    if (poll(states, 2, -1) < 0) {
      if (errno == EINTR) continue;
      return false;
    }
    if (states[1].revents) return false;
    if (states[0].revents & POLLIN) return true;
    if (states[0].revents) return false;
  }
}

/// The keeper: waits until the other end of `socket` closes, then lets every write go on.
static void __attribute__((noreturn)) keep(int socket, struct seccomp_notif *in_hand) {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, NULL);
  setsid();
  if (socket != 3) socket = dup2(socket, 3);
  syscall(__NR_close_range, 0, 2, 0);
  syscall(__NR_close_range, 4, ~0u, 0);
  prctl(PR_SET_NAME, "mpaas-keeper", 0, 0, 0);
  if (chdir("/") < 0) _exit(0);
  int listener = receive_descriptor(socket);
  if (listener < 0) _exit(0);
  char byte;
  while (read(socket, &byte, 1) < 0 && errno == EINTR) {}
  if (in_hand->id) go_on(listener, in_hand->id);
  while (await_notification(listener, -1)) {
    memset(in_hand, 0, sizeof *in_hand);
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, in_hand) == 0) go_on(listener, in_hand->id);
  }
  _exit(0);
}

static bool start_keeper(mt_words *words) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0) return false;
  words->keeper_end = ends[0];
  words->keeper = fork();
  if (words->keeper == 0) keep(ends[1], words->in_hand);
  close(ends[1]);
  return words->keeper > 0;
}

/// Waits a moment for the keeper to see that it is not needed; where it is, it outlives us.
static void reap_keeper(pid_t keeper) {
  struct timespec pause = {0, 1000000};
  for (int attempt = 0; attempt < 40; attempt++) {
    pid_t found = waitpid(keeper, NULL, WNOHANG);
    if (found == keeper || (found < 0 && errno != EINTR)) return;
    nanosleep(&pause, NULL);
  }
}

mt_words *mt_words_prepare(void) {
  mt_words *words = calloc(1, sizeof *words);
  if (!words) return NULL;
  words->child_end = words->parent_end = words->keeper_end = words->listener = words->wake[0] = words->wake[1] = -1;
  pthread_mutex_init(&words->lock, NULL);
  void *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  int ends[2] = {-1, -1};
  if (shared != MAP_FAILED) words->in_hand = shared;
  if (shared == MAP_FAILED || pipe2(words->wake, O_CLOEXEC) < 0 || !start_keeper(words) ||
      socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0) {
    mt_words_end(words);
    return NULL;
  }
  words->parent_end = ends[0];
  words->child_end = ends[1];
  return words;
}

static pid_t process_of(pid_t thread) {
  char path[32], text[512];
  snprintf(path, sizeof path, "/proc/%d/status", thread);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return thread;
  ssize_t count = read(file, text, sizeof text - 1);
  close(file);
  text[count > 0 ? count : 0] = 0;
  const char *field = strstr(text, "\nTgid:");
  return field ? (pid_t)strtol(field + 6, NULL, 10) : thread;
}

/// The ring of a process; the one that was quiet for longest makes room.
static process_words *ring(mt_words *words, pid_t process) {
  process_words *oldest = &words->processes[0];
  for (int i = 0; i < process_limit; i++) {
    process_words *each = &words->processes[i];
    if (each->process == process) return each;
    if (each->used_at < oldest->used_at) oldest = each;
  }
  oldest->process = process;
  oldest->written = 0;
  return oldest;
}

static void append(mt_words *words, pid_t process, const char *text, size_t size) {
  pthread_mutex_lock(&words->lock);
  process_words *target = ring(words, process);
  target->used_at = ++words->clock;
  for (size_t i = 0; i < size; i++) target->text[target->written++ % mt_words_capacity] = text[i];
  pthread_mutex_unlock(&words->lock);
}

static void take_part(mt_words *words, pid_t thread, pid_t process, uint64_t address, uint64_t size) {
  char text[mt_words_capacity];
  if (size > sizeof text) {
    address += size - sizeof text;
    size = sizeof text;
  }
  long count = mt_read_memory(thread, address, text, (size_t)size);
  if (count > 0) append(words, process, text, (size_t)count);
}

static void take(mt_words *words, const struct seccomp_notif *notification) {
  pid_t thread = (pid_t)notification->pid, process = process_of(thread);
  const uint64_t *arguments = (const uint64_t *)notification->data.args;
  if (notification->data.nr == __NR_write) {
    take_part(words, thread, process, arguments[1], arguments[2]);
    return;
  }
  struct iovec parts[vector_limit];
  uint64_t count = arguments[2] < vector_limit ? arguments[2] : vector_limit;
  long size = mt_read_memory(thread, arguments[1], parts, (size_t)count * sizeof *parts);
  for (long i = 0; size > 0 && i < size / (long)sizeof *parts; i++) {
    take_part(words, thread, process, (uint64_t)(uintptr_t)parts[i].iov_base, parts[i].iov_len);
  }
}

static void *serve(void *argument) {
  mt_words *words = argument;
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, NULL);
  words->listener = receive_descriptor(words->parent_end);
  if (words->listener < 0 || send_descriptor(words->keeper_end, words->listener) < 0) return NULL;
  while (await_notification(words->listener, words->wake[0])) {
    memset(words->in_hand, 0, sizeof *words->in_hand);
    if (ioctl(words->listener, SECCOMP_IOCTL_NOTIF_RECV, words->in_hand) < 0) continue;
    take(words, words->in_hand);
    go_on(words->listener, words->in_hand->id);
    words->in_hand->id = 0;
  }
  return NULL;
}

void mt_words_serve(mt_words *words) {
  close(words->child_end);
  words->child_end = -1;
  words->serving = pthread_create(&words->thread, NULL, serve, words) == 0;
}

int mt_words_copy(mt_words *words, pid_t process, char *target) {
  int count = 0;
  pthread_mutex_lock(&words->lock);
  for (int i = 0; i < process_limit; i++) {
    const process_words *each = &words->processes[i];
    if (each->process != process) continue;
    uint64_t start = each->written > mt_words_capacity ? each->written - mt_words_capacity : 0;
    for (uint64_t j = start; j < each->written; j++) target[count++] = each->text[j % mt_words_capacity];
    break;
  }
  pthread_mutex_unlock(&words->lock);
  return count;
}

void mt_words_end(mt_words *words) {
  if (words->serving) {
    // Ends the wait for the listener as well as the wait for notifications.
    shutdown(words->parent_end, SHUT_RDWR);
    while (write(words->wake[1], "w", 1) < 0 && errno == EINTR) {}
    pthread_join(words->thread, NULL);
  }
  int descriptors[] = {words->child_end, words->parent_end, words->listener, words->wake[0], words->wake[1],
                       words->keeper_end};
  for (size_t i = 0; i < sizeof descriptors / sizeof *descriptors; i++) {
    if (descriptors[i] >= 0) close(descriptors[i]);
  }
  if (words->keeper > 0) reap_keeper(words->keeper);
  if (words->in_hand) munmap(words->in_hand, 4096);
  pthread_mutex_destroy(&words->lock);
  free(words);
}

#else

mt_words *mt_words_prepare(void) { return NULL; }
int mt_words_install(mt_words *words) { return 0; }
void mt_words_serve(mt_words *words) {}
int mt_words_copy(mt_words *words, pid_t process, char *target) { return 0; }
void mt_words_end(mt_words *words) {}

#endif
