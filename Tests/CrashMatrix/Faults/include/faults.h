/// Faults in C and C++, one for each case of the crash matrix.
///
/// The line that faults, or the call that leads into the system's code where it does, is marked `crash: CASE`.
#ifndef FAULTS_H
#define FAULTS_H

#ifdef __cplusplus
extern "C" {
#endif

/// Starts threads that only wait.
void fault_start_idle_threads(int count);
/// Installs a handler of the program's own for the fatal signals, which says so on standard error and gives the default back.
void fault_install_own_handlers(void);

void fault_null_read(void);
void fault_null_write(void);
void fault_wild_jump(void);
void fault_division_by_zero(void);
void fault_bus_error(void);
void fault_illegal_instruction(void);
void fault_stack_overflow(void);
void fault_stack_overflow_thread(void);
void fault_stack_smash(void);
void fault_corrupted_stack(void);
void fault_abort(void);
void fault_assert(void);
void fault_cxx_exception(void);
void fault_raise_from_thread(void);
void fault_in_handler(void);
void fault_with_malloc_lock(void);
void fault_with_loader_lock(void);
void fault_twice(void);
void fault_in_child(void);
/// While another thread waits with all signals blocked.
void fault_with_deaf_thread(void);

#ifdef __cplusplus
}
#endif
#endif
