#include "session.h"

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

#include <libunwind.h>
#include <string.h>

#include "libunwind_functions.h"

/// Searches one table of an image, in which `base` stands for the image's own base; `from` is where distances begin.
static int search_table(
  unw_addr_space_t space, unw_word_t ip, unw_proc_info_t *info, int need_unwind_info, mp_session *session,
  uint64_t address, uint64_t count, uint64_t base, uint64_t from) {
  const mp_image *image = &session->images->images[session->image];
  unw_dyn_info_t table;
  memset(&table, 0, sizeof table);
  table.format = UNW_INFO_FORMAT_REMOTE_TABLE;
  table.start_ip = base;
  table.end_ip = base + (image->end - image->base);
  table.u.rti.segbase = from;
  table.u.rti.table_data = address;
  // libunwind counts in words; a pair of the table has 8 bytes.
  table.u.rti.table_len = count * 8 / sizeof(unw_word_t);
  uint64_t moved = image->base - base;
  int result = libunwind.dwarf_search_unwind_table(space, ip - moved, &table, info, need_unwind_info, session);
  if (result != 0) return result;
  info->start_ip += moved;
  info->end_ip += moved;
  session->function = info->start_ip;
  return 0;
}

static int search_tables(
  unw_addr_space_t space, unw_word_t ip, unw_proc_info_t *info, int need_unwind_info, mp_session *session) {
  const mp_image *image = &session->images->images[session->image];
  int result = -UNW_ENOINFO;
  if (image->table_count != 0) {
    result = search_table(
      space, ip, info, need_unwind_info, session, image->table, image->table_count, image->base, image->eh_frame_hdr);
  }
  if (result != 0 && image->debug_table_count != 0) {
    result = search_table(
      space, ip, info, need_unwind_info, session, image->debug_table, image->debug_table_count, image->debug_base,
      image->debug_base);
  }
  return result;
}

static int find_description(
  unw_addr_space_t space, unw_word_t ip, unw_proc_info_t *info, int need_unwind_info, void *context) {
  mp_session *session = context;
  session->image = mp_image_index(session->images, ip);
  if (session->image < 0) return -UNW_ENOINFO;
  bool failed = session->memory_failed;
  session->memory_failed = false;
  int result = search_tables(space, ip, info, need_unwind_info, session);
  if (result != 0 && session->memory_failed) session->search_failed = true;
  session->memory_failed = session->memory_failed || failed;
  return result;
}

static void release_description(unw_addr_space_t space, unw_proc_info_t *info, void *context) {
  (void)space, (void)info, (void)context;
}

static int no_dynamic_list(unw_addr_space_t space, unw_word_t *list, void *context) {
  (void)space, (void)list, (void)context;
  return -UNW_ENOINFO;
}

static int access_memory(unw_addr_space_t space, unw_word_t address, unw_word_t *value, int write, void *context) {
  (void)space;
  mp_session *session = context;
  if (write) return -UNW_EINVAL;
  if (mp_memory_read(session->memory, address, value, sizeof *value)) return 0;
  session->memory_failed = true;
  return -UNW_EINVAL;
}

static int access_register(unw_addr_space_t space, unw_regnum_t number, unw_word_t *value, int write, void *context) {
  (void)space;
  mp_session *session = context;
  if (number < 0 || number >= MP_REGISTER_COUNT) return -UNW_EBADREG;
  if (write) session->registers.values[number] = *value;
  else *value = session->registers.values[number];
  return 0;
}

static int access_float(unw_addr_space_t space, unw_regnum_t number, unw_fpreg_t *value, int write, void *context) {
  (void)space, (void)number, (void)value, (void)write, (void)context;
  return -UNW_EBADREG;
}

static int no_resume(unw_addr_space_t space, unw_cursor_t *cursor, void *context) {
  (void)space, (void)cursor, (void)context;
  return -UNW_EINVAL;
}

static int no_name(
  unw_addr_space_t space, unw_word_t address, char *name, size_t size, unw_word_t *offset, void *context) {
  (void)space, (void)address, (void)name, (void)size, (void)offset, (void)context;
  return -UNW_ENOINFO;
}

static unw_accessors_t accessors = {
  .find_proc_info = find_description,
  .put_unwind_info = release_description,
  .get_dyn_info_list_addr = no_dynamic_list,
  .access_mem = access_memory,
  .access_reg = access_register,
  .access_fpreg = access_float,
  .resume = no_resume,
  .get_proc_name = no_name,
};

/// Made once; it holds no state of a session, so all threads may use it.
static unw_addr_space_t address_space;

bool mp_unwind_prepare(void) {
  if (__atomic_load_n(&address_space, __ATOMIC_ACQUIRE) != NULL) return true;
  if (!mp_libunwind_load()) return false;
  unw_addr_space_t made = libunwind.create_addr_space(&accessors, 0);
  if (made == NULL) return false;
  libunwind.set_caching_policy(made, UNW_CACHE_NONE);
  // libunwind's own tables are set up by the first cursor, under a lock.
  mp_images none = {0};
  mp_session session = {.images = &none};
  unw_cursor_t cursor;
  libunwind.init_remote(&cursor, made, &session);
  unw_addr_space_t expected = NULL;
  if (!__atomic_compare_exchange_n(&address_space, &expected, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    libunwind.destroy_addr_space(made);
  }
  return true;
}

mp_step mp_session_step(mp_session *session, uint64_t lookup) {
  unw_addr_space_t space = __atomic_load_n(&address_space, __ATOMIC_ACQUIRE);
  session->image = -1;
  session->function = 0;
  session->memory_failed = false;
  session->search_failed = false;
  if (space == NULL) return MP_STEP_NO_DESCRIPTION;
  // A fresh cursor takes its ip for an exact address; the caller has chosen it.
  session->registers.values[MP_REGISTER_PC] = lookup;
  unw_cursor_t cursor;
  if (libunwind.init_remote(&cursor, space, session) < 0) return MP_STEP_FAILED;
  int result = libunwind.step(&cursor);
  // Without a description libunwind guesses by itself; its guess is not wanted, nor what of memory it did not find.
  if (session->function == 0) return session->search_failed ? MP_STEP_FAILED : MP_STEP_NO_DESCRIPTION;
  if (result < 0) return MP_STEP_FAILED;
  if (result == 0) return MP_STEP_OUTERMOST;
  mp_registers caller = session->registers;
  for (int number = 0; number < MP_REGISTER_COUNT; number++) {
    unw_word_t value;
    if (libunwind.get_reg(&cursor, number, &value) == 0) caller.values[number] = value;
    else if (number == MP_REGISTER_PC || number == MP_REGISTER_SP) return MP_STEP_FAILED;
  }
  session->registers = caller;
  return MP_STEP_DONE;
}

#else

bool mp_unwind_prepare(void) {
  return false;
}

mp_step mp_session_step(mp_session *session, uint64_t lookup) {
  (void)session, (void)lookup;
  return MP_STEP_FAILED;
}

#endif
