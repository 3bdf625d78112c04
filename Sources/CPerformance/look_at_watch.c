#if defined(__linux__)

#include "look_at_watch.h"

#include <linux/futex.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>

#include "hang_record.h"
#include "sampling.h"

enum { SAMPLE_PERIOD = 50000000, CONFIRM = 160000000, BASE_AFTER = 15000000 };

// The answers in a row that make a place the idle one, the time in which they come, and how often it is tried again.
enum { IDLE_ANSWERS = 3, AT_ONCE = 5000000 };
static const uint64_t trial_period = 60000000000u;

static uint64_t larger(uint64_t one, uint64_t other) {
  return one > other ? one : other;
}

// MARK: The queue's own state

/// The word of the queue that names the thread at work; NULL where it is not known.
static const _Atomic uint32_t *owner_word(const mp_watch *watch) {
  uint32_t known = atomic_load(&watch->owner_words);
  if (watch->words == NULL || known == 0 || atomic_load(&watch->answered) == 0) return NULL;
  return &watch->words[__builtin_ctz(known)];
}

static int owner(const mp_watch *watch) {
  const _Atomic uint32_t *word = owner_word(watch);
  return word == NULL ? 0 : (int)(atomic_load(word) & FUTEX_TID_MASK);
}

/// The thread that hangs, as far as that is known.
static int hung_thread(const mp_watch *watch) {
  int found = watch->is_queue ? owner(watch) : 0;
  return mp_is_own_thread(found) ? found : atomic_load(&watch->tid);
}

// MARK: A hang

static void forget_hang(mp_watch *watch) {
  watch->is_waiting = watch->is_declared = watch->is_ignored = watch->has_base = false;
  watch->count = 0;
  watch->turns = 0;
}

void mp_forget_past(mp_watch *watch) {
  if (watch->file >= 0 && watch->is_declared) mp_hang_record_discard(watch);
  watch->last_alive = watch->change_from = watch->change_to = mp_hangs.now;
  watch->next_ask = watch->next_trial = 0;
  watch->busy_from = 0;
  forget_hang(watch);
}

static void begin_wait(mp_watch *watch, uint64_t start) {
  forget_hang(watch);
  watch->is_waiting = true;
  watch->start = start;
  watch->work = 0;
}

static void take_base(mp_watch *watch) {
  watch->has_base = true;
  watch->base_tid = hung_thread(watch);
  watch->base = mp_times_of(watch->base_tid);
  watch->base_at = mp_hangs.now - watch->start;
}

static void declare(mp_watch *watch) {
  mp_hang_state *state = &mp_hangs;
  watch->is_declared = true;
  state->stirred = state->now;
  watch->is_ignored = mp_is_traced();
  uint64_t started = mp_clock_nanoseconds(CLOCK_REALTIME) - (state->now - watch->start);
  watch->hang = (mp_hang){
    .name = watch->name,
    .seconds = (int64_t)(started / 1000000000u),
    .nanoseconds = (uint32_t)(started % 1000000000u),
  };
  watch->next_sample = state->now;
  if (!watch->is_ignored) mp_sampling_list_images();
}

/// The number of a piece of work: a hash of what lies on the stack where the queue's own functions end.
///
/// While one piece of work is under way the functions that called it stand still, and with them what they keep.
static uint64_t work_number(const mp_watch *watch, size_t count) {
  enum { BELOW = 56, ABOVE = 256 };
  int known = atomic_load(&watch->base_count);
  for (size_t frame = 0; frame < count; frame++) {
    const mp_frame *found = &mp_hangs.frames[frame];
    if (found->offset == 0) continue;
    for (int index = 0; index < known; index++) {
      if (watch->base_functions[index] != found->pc - found->offset) continue;
      uint8_t bytes[BELOW + ABOVE];
      mp_memory memory = mp_process_memory_reader(&mp_hangs.memory);
      if (!mp_memory_read(&memory, found->sp - BELOW, bytes, sizeof bytes)) return 0;
      uint64_t hash = 0xcbf29ce484222325u;
      // The contexts of async functions are each task's own.
      for (size_t inner = 0; inner < frame; inner++) {
        if (mp_hangs.frames[inner].kind == MP_FRAME_ASYNC) hash = (hash ^ mp_hangs.frames[inner].fp) * 0x100000001b3u;
      }
      for (size_t place = 0; place < sizeof bytes; place++) hash = (hash ^ bytes[place]) * 0x100000001b3u;
      return hash | 1;
    }
  }
  return 0;
}

static void take_sample(mp_watch *watch) {
  mp_hang_state *state = &mp_hangs;
  uint64_t elapsed = state->now - watch->start;
  watch->next_sample = state->now + larger(SAMPLE_PERIOD, elapsed / 8);
  if (watch->count == MP_HANG_SAMPLES_MAX) return;
  int tid = hung_thread(watch);
  mp_place place = mp_place_of(tid);
  // In a debugger's hands, or stopped: it does not hang by itself.
  if (place.state == 't' || place.state == 'T') watch->is_ignored = true;
  if (place.state == 0 || watch->is_ignored) return;
  mp_hang_sample *sample = &watch->samples[watch->count];
  mp_thread_times times = mp_times_of(tid);
  bool is_based = watch->has_base && watch->base_tid == tid;
  *sample = (mp_hang_sample){
    .at = elapsed,
    .tid = tid,
    .state = place.state,
    .call = place.is_in_call ? (int)place.call : -1,
    .argument = place.arguments[0],
    .owner = mp_lock_owner(&place, tid),
    .processor = is_based ? times.processor - watch->base.processor : 0,
    .queue = is_based ? times.queue - watch->base.queue : 0,
  };
  mp_taken taken = mp_take_stack(tid, &place, false);
  sample->stop = taken.stop;
  sample->count = (uint32_t)taken.count;
  uint64_t work = work_number(watch, taken.count);
  if (work != 0 && watch->work != 0 && work != watch->work) watch->turns++;
  if (work != 0) watch->work = work;
  memcpy(sample->frames, state->frames, taken.count * sizeof *state->frames);
  watch->count++;
  mp_hang_record_add(watch, sample);
}

/// Tells whether the thread only waited for a processor: then the machine hung, and not the program.
static bool is_starved(const mp_watch *watch) {
  enum { LITTLE = 2000000 };
  if (!watch->has_base) return false;
  mp_thread_times times = mp_times_of(watch->base_tid);
  uint64_t watched = mp_hangs.now - watch->start - watch->base_at;
  bool has_worked = times.processor - watch->base.processor >= LITTLE;
  return !has_worked && (times.queue - watch->base.queue) * 2 > watched;
}

/// Goes on with what has not answered yet.
static void go_on(mp_watch *watch) {
  mp_hang_state *state = &mp_hangs;
  uint64_t elapsed = state->now > watch->start ? state->now - watch->start : 0;
  if (!watch->has_base && elapsed >= BASE_AFTER) take_base(watch);
  if (elapsed < state->settings.micro) return;
  if (!watch->is_declared) declare(watch);
  if (watch->is_ignored) {
    mp_hang_record_discard(watch);
    return;
  }
  if (state->now >= watch->next_sample) take_sample(watch);
  if (elapsed >= state->settings.fatal) watch->hang.flags |= MP_HANG_FATAL;
  if (elapsed < state->settings.severe || watch->hang.flags & MP_HANG_SEVERE || is_starved(watch)) return;
  watch->hang.flags |= MP_HANG_SEVERE;
  mp_hang_record_begin(watch);
}

static void end_wait(mp_watch *watch, uint64_t end) {
  mp_hang_state *state = &mp_hangs;
  mp_hang *hang = &watch->hang;
  watch->last_alive = end;
  if (watch->is_declared && !watch->is_ignored && !is_starved(watch)) {
    hang->duration = end > watch->start ? end - watch->start : 0;
    hang->count = watch->count;
    hang->samples = watch->samples;
    if (watch->turns != 0 && watch->turns * 2 + 1 >= watch->count) hang->flags |= MP_HANG_PARTLY;
    if (watch->count > 0) {
      uint64_t last = watch->samples[watch->count - 1].at;
      hang->watched = last > watch->base_at ? last - watch->base_at : 0;
    }
    // A stop that was found later can make it short.
    if (hang->duration >= state->settings.severe) mp_hang_record_finish(watch);
    else hang->flags &= ~(uint32_t)(MP_HANG_SEVERE | MP_HANG_FATAL);
    if (hang->duration < state->settings.fatal) hang->flags &= ~(uint32_t)MP_HANG_FATAL;
    if (hang->duration >= state->settings.micro && state->settings.ended != NULL) {
      state->settings.ended(state->settings.context, hang);
    }
  }
  mp_hang_record_discard(watch);
  forget_hang(watch);
}

// MARK: Looking

static void look_at_thread(mp_watch *watch) {
  uint64_t busy = atomic_load(&watch->busy_since);
  if (watch->is_waiting && busy != watch->busy_from) end_wait(watch, mp_hang_time(atomic_load(&watch->ended_at)));
  if (busy == 0) return;
  if (!watch->is_waiting) {
    watch->busy_from = busy;
    begin_wait(watch, mp_hang_time(busy));
  }
  go_on(watch);
}

/// Tells whether the queue's thread has used its processor since the last look, and takes note of when.
static bool was_at_work(mp_watch *watch) {
  uint64_t processor = mp_processor_time(atomic_load(&watch->tid));
  bool changed = processor != watch->last_processor;
  watch->last_processor = processor;
  if (!changed) return false;
  watch->change_from = mp_hangs.before;
  watch->change_to = mp_hangs.now;
  return true;
}

// MARK: The idle place
//
// A thread that waits for events does so from one place, its run loop. Once questions have shown which one that is, a look
// tells whether the thread is there, and need not wake it to find out.

static bool is_wait_for_events(long call) {
  switch (call) {
#if defined(SYS_poll)
  case SYS_poll: case SYS_select: case SYS_epoll_wait:
#endif
  case SYS_ppoll: case SYS_pselect6: case SYS_epoll_pwait: return true;
  default: return false;
  }
}

static bool is_there(const mp_idle_place *idle, const mp_place *place) {
  return place->is_in_call && place->call == idle->call && place->arguments[0] == idle->argument
    && place->sp == idle->sp && place->pc == idle->pc;
}

/// Tells whether the thread waits for work, where the place in which it does so is known.
static bool is_idle(const mp_watch *watch) {
  if (watch->idle.answers < IDLE_ANSWERS) return false;
  mp_place place = mp_place_of(atomic_load(&watch->tid));
  return is_there(&watch->idle, &place);
}

/// Takes note of the place that a question finds the thread in.
static void note_place(mp_watch *watch) {
  watch->asked_at = mp_clock_nanoseconds(CLOCK_MONOTONIC);
  mp_place place = mp_place_of(atomic_load(&watch->tid));
  watch->was_waiting_for_events = place.is_in_call && is_wait_for_events(place.call);
  if (!watch->was_waiting_for_events || is_there(&watch->idle, &place)) return;
  watch->idle =
    (mp_idle_place){.call = place.call, .argument = place.arguments[0], .sp = place.sp, .pc = place.pc};
}

/// Counts an answer for or against the place: a thread that waits for work there answers at once.
static void judge_place(mp_watch *watch) {
  if (!watch->was_waiting_for_events) return;
  bool is_at_once = atomic_load(&watch->answered_at) - watch->asked_at <= AT_ONCE;
  if (!is_at_once) watch->idle.answers = 0;
  else if (watch->idle.answers < IDLE_ANSWERS) watch->idle.answers++;
}

// MARK: Questions

static void ask(mp_watch *watch, int number, uint64_t from, uint64_t to) {
  from = larger(from, watch->last_alive);
  to = larger(to, from);
  begin_wait(watch, from + (to - from) / 2);
  if (watch->was_unowned) watch->was_waiting_for_events = false;
  else note_place(watch);
  watch->next_ask = mp_hangs.now + CONFIRM;
  watch->next_trial = mp_hangs.now + trial_period;
  atomic_fetch_add(&watch->asked, 1);
  watch->ask(watch->context, number);
}

static void look_at_queue(mp_watch *watch, int number) {
  mp_hang_state *state = &mp_hangs;
  bool has_just_answered = false;
  if (watch->is_waiting) {
    if (atomic_load(&watch->answered) != atomic_load(&watch->asked)) {
      was_at_work(watch);
      // A queue that has never answered may have nothing that works for it yet.
      if (atomic_load(&watch->answered) != 0) go_on(watch);
      return;
    }
    end_wait(watch, mp_hang_time(atomic_load(&watch->answered_at)));
    judge_place(watch);
    has_just_answered = true;
  }
  int working = owner(watch);
  if (owner_word(watch) != NULL && working == 0) {
    watch->was_unowned = true;
    watch->last_alive = state->now;
    return;
  }
  if (watch->was_unowned) {
    state->stirred = state->now;
    ask(watch, number, state->before, state->now);
    return;
  }
  // A queue that is bound to its thread names it always: whether that slept is told by its time on the processor.
  bool changed = was_at_work(watch);
  // The answer itself is no stir.
  bool has_stirred = changed && !has_just_answered;
  if (has_stirred) state->stirred = state->now;
  bool is_due = has_stirred || state->now >= watch->next_ask;
  if (!is_due && !has_just_answered) return;
  bool waits_for_work = is_idle(watch);
  if (waits_for_work) watch->last_alive = state->now;
  if (waits_for_work && state->now < watch->next_trial) watch->next_ask = watch->next_trial;
  else if (is_due) ask(watch, number, watch->change_from, watch->change_to);
}

void mp_look_at(mp_watch *watch, int number) {
  if (watch->is_queue) look_at_queue(watch, number);
  else look_at_thread(watch);
}

void mp_end_watch(mp_watch *watch) {
  if (atomic_load(&watch->state) != 2) return;
  if (watch->is_waiting) end_wait(watch, mp_hangs.now);
}

#endif
