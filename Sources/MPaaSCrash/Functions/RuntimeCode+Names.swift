import MPaaSCrashReport

/// Names that only runtimes, C libraries and their start code have: also where they are linked into the program.
extension RuntimeCode {
  /// Tells whether a name without parameters is a runtime's or a C library's.
  static func isRuntimeName(_ name: String) -> Bool {
    functions.contains(name) || SignalTrampoline.isName(name) || prefixes.contains { name.hasPrefix($0) }
  }

  /// Tells whether a name is of a function of the C library that follows pointers or calls functions it is given.
  static func isLibraryFunction(_ name: String) -> Bool {
    libraryFunctions.contains(name)
  }

  /// Tells whether a name is of those that the C standard keeps for compilers and C libraries, `__libc_message`.
  ///
  /// Blocks and mangled names begin with underscores too and are the program's.
  static func isReserved(_ name: String, of whole: String) -> Bool {
    guard ["__", "_IO_", "_nl_", "_dl_"].contains(where: name.hasPrefix) else { return false }
    return !whole.holds("_block_invoke") && !whole.hasPrefix("__Z") && !whole.hasPrefix("__R")
      && name.utf8.allSatisfy(isIdentifier)
  }

  private static func isIdentifier(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10
  }

  private static let functions: Set<String> = Set(
    failures + allocators
      + [
        "raise", "gsignal", "kill", "tgkill", "pthread_kill", "killpg", "exit", "_exit", "quick_exit", "assert",
        "precondition", "start", "_start", "_init", "_fini",
        "objc_msgSend", "objc_release", "objc_retain", "objc_retainAutoreleasedReturnValue", "objc_storeStrong",
        "longjmp", "siglongjmp", "_longjmp", "setjmp", "sigaction", "execute_native_thread_routine", "lang_start",
        "async_MainTu", "future_adapter", "async_let_adapter", "do_lookup_x", "__libc_start_main",
        "__libc_start_call_main", "__libc_start_main_impl", "_pthread_start", "_pthread_body", "_pthread_wqthread",
        "start_wqthread", "start_thread", "clone", "clone3", "thread_start", "__clone", "__clone3", "terminate",
        "__pthread_kill", "__pthread_kill_implementation", "__pthread_kill_internal", "__run_exit_handlers",
        "abort_message", "demangling_terminate_handler",
      ])

  private static let libraryFunctions = Set(threads + callers + formatted)

  private static let allocators = [
    "malloc", "calloc", "realloc", "reallocarray", "free", "cfree", "posix_memalign", "aligned_alloc", "memalign",
    "valloc", "_int_malloc", "_int_free", "_int_realloc", "_int_memalign", "unlink_chunk", "sysmalloc", "systrim",
    "tcache_get", "tcache_put", "tcache_init", "malloc_consolidate", "arena_get2", "heap_trim", "mremap_chunk",
    "ptmalloc_init", "operator new", "operator delete", "operator new[]", "operator delete[]", "mmap", "munmap", "brk",
  ]

  private static let threads = [
    "thrd_start", "pthread_join", "pthread_create", "pthread_exit", "pthread_once", "pthread_mutex_lock",
    "pthread_mutex_unlock", "pthread_mutex_destroy", "pthread_cond_wait", "pthread_cond_signal", "pthread_getspecific",
    "pthread_setspecific", "pthread_rwlock_rdlock", "pthread_rwlock_wrlock", "pthread_rwlock_unlock", "call_once",
    "sem_wait", "sem_post", "dispatch_sync", "dispatch_async", "dispatch_once", "dispatch_main", "dispatch_apply",
  ]

  /// Functions of the C library that call functions which they are given.
  private static let callers = [
    "qsort", "qsort_r", "msort_with_tmp", "bsearch", "lsearch", "lfind", "tsearch", "tfind", "tdelete", "twalk",
    "twalk_r", "trecurse", "ftw", "ftw64", "nftw", "nftw64", "scandir", "scandir64", "glob", "glob64", "atexit",
    "on_exit", "dl_iterate_phdr", "getaddrinfo", "regcomp", "regexec",
  ]

  /// Functions of the C library that follow pointers which they are given.
  private static let formatted = [
    "printf", "fprintf", "sprintf", "snprintf", "dprintf", "asprintf", "vprintf", "vfprintf", "vsprintf", "vsnprintf",
    "vdprintf", "vasprintf", "buffered_vfprintf", "printf_positional", "scanf", "fscanf", "sscanf", "vscanf", "vfscanf",
    "vsscanf", "puts", "fputs", "fputc", "putc", "putchar", "fwrite", "fread", "fgets", "fgetc", "getc", "getline",
    "getdelim", "ungetc", "fopen", "fopen64", "fdopen", "freopen", "fclose", "fflush", "fseek", "fseeko", "ftell",
    "ftello", "rewind", "feof", "ferror", "setvbuf", "perror", "atoi", "atol", "atoll", "atof", "getenv", "setenv",
    "unsetenv", "putenv", "readdir", "readdir64", "closedir", "opendir", "localtime_r", "gmtime_r", "mktime",
    "strftime", "strptime", "asctime", "ctime", "bcopy", "bzero", "bcmp", "memccpy", "mempcpy", "memfrob", "memmem",
    "stpcpy", "stpncpy", "swab", "ffs", "iconv", "new_do_write", "new_do_read", "syscall",
  ]

  private static let prefixes =
    [
      "swift_", "_swift_", "swift::", "_Unwind_", "std::", "__gnu_cxx::", "__cxxabiv1::", "__cxa_", "__gxx_", "Swift.",
      "__asan_", "__ubsan_", "__tsan_", "__msan_", "__hwasan_", "__sanitizer", "__interceptor_", "__interception::",
      "__asan::", "__ubsan::", "__tsan::", "__lsan::", "___interceptor_", "ubsan_", "core::", "alloc::", "__rustc::",
      "rust_begin_unwind", "rust_panic", "rust_oom", "__rust", "_rust_", "rust_eh_", "_rdl_", "hashbrown::", "__mem",
      "__str", "__wcs", "__GI_", "_dl_", "__vdso_", "_dispatch_", "_pthread_", "uw_", "execute_cfa_program",
      "+[NSException raise", "-[NSException raise", "-[NSAssertionHandler handleFailure", "objc_msgSend_",
      "_objc_msgSend",
    ] + stringFunctions

  /// The C library's functions on memory and strings, which its own code calls with suffixes such as `_avx_unaligned`.
  private static let stringFunctions = [
    "memcpy", "memmove", "memset", "memcmp", "memchr", "memrchr", "strlen", "strnlen", "strcpy", "strncpy", "strcat",
    "strncat", "strcmp", "strncmp", "strcasecmp", "strncasecmp", "strcoll", "strchr", "strrchr", "strstr", "strcasestr",
    "strdup", "strndup", "strtol", "strtoul", "strtod", "strtof", "strtok", "strsep", "strspn", "strcspn", "strpbrk",
    "strxfrm", "strlcpy", "strlcat", "strerror", "wcslen", "wcscpy", "wcscmp", "wmemset", "wmemcpy", "rawmemchr",
  ]
}

// MARK: - Failures

extension RuntimeCode {
  /// Tells whether a call is of what ends a program, or hands on its failing, after a fault was found: `abort`, panics,
  /// `std::terminate`, assertions, what sanitizers report by.
  ///
  /// All that it calls in turn, handlers of the program's own too, comes after the fault.
  static func isFailure(_ call: CrashReport.Call) -> Bool {
    guard call.file.map(isLibrarySource) ?? true || call.function.holds("::") else { return false }
    let name = CanonicalName.of(call.function)
    return failureNames.contains(name) || failurePrefixes.contains { name.hasPrefix($0) }
  }

  private static let failureNames = Set(failures)

  private static let failures = [
    "abort", "__GI_abort", "__abort", "__stack_chk_fail", "__stack_chk_fail_local", "__fortify_fail",
    "__fortify_fail_abort", "__chk_fail", "__assert_fail", "__assert_fail_base", "__assert_perror_fail", "__assert",
    "__assert_rtn", "__libc_message", "__libc_fatal", "malloc_printerr", "__abort_with_payload", "abort_with_payload",
    "abort_with_payload_wrapper_internal", "malloc_vreport", "malloc_report", "malloc_error_break",
    "__cxa_throw", "__cxa_rethrow", "__cxa_pure_virtual", "__cxa_deleted_virtual", "__cxa_bad_cast", "__cxa_bad_typeid",
    "__cxa_throw_bad_array_new_length", "__cxa_call_unexpected", "__cxa_call_terminate", "__clang_call_terminate",
    "std::terminate", "std::unexpected", "std::rethrow_exception", "__cxxabiv1::__terminate",
    "__cxxabiv1::__unexpected", "__gnu_cxx::__verbose_terminate_handler", "std::__glibcxx_assert_fail",
    "std::__replacement_assert", "std::__libcpp_verbose_abort", "std::__terminate",
    "objc_exception_throw", "objc_exception_rethrow", "__exceptionPreprocess", "_objc_terminate", "_objc_fatal",
    "_assertionFailure", "_fatalErrorMessage", "fatalError", "preconditionFailure", "assertionFailure", "_precondition",
    "_preconditionFailure", "_debugPrecondition", "_debugPreconditionFailure", "_unexpectedError",
    "_diagnoseUnexpectedEnumCase",
    "_diagnoseUnexpectedEnumCaseValue", "swift_unexpectedError", "swift_reportError", "swift_abortRetainUnowned",
    "swift_abortRetainOverflow", "swift_abortUnownedRetainOverflow", "swift_deletedMethodError",
    "swift_deletedAsyncMethodError", "swift_unreachable", "_swift_stdlib_reportFatalError",
    "_swift_stdlib_reportFatalErrorInFile", "_swift_stdlib_reportUnimplementedInitializer", "swift_isolationCrash",
    "swift::fatalError", "swift::fatalErrorv", "swift::swift_abortRetainUnowned", "swift::swift_dynamicCastFailure",
    "rust_begin_unwind", "rust_panic", "__rust_start_panic", "__rust_abort", "__rustc::rust_begin_unwind",
    "__rustc::rust_panic", "__rustc::__rust_start_panic", "__rustc::__rust_abort", "__rust_foreign_exception",
    "std::process::abort", "std::panicking::begin_panic", "std::panicking::begin_panic_handler",
    "std::panicking::panic_handler", "std::panicking::rust_panic_with_hook", "std::panicking::panic_with_hook",
    "std::panicking::rust_panic", "std::panicking::rust_panic_without_hook", "std::panic::panic_any",
    "core::option::unwrap_failed", "core::option::expect_failed", "core::result::unwrap_failed",
    "core::cell::panic_already_borrowed", "core::cell::panic_already_mutably_borrowed",
    "alloc::alloc::handle_alloc_error",
    "alloc::raw_vec::handle_error", "alloc::raw_vec::capacity_overflow", "core::str::slice_error_fail",
    "runtime.gopanic", "runtime.fatalpanic", "runtime.throw", "runtime.fatalthrow", "runtime.fatal", "runtime.crash",
    "runtime.dieFromSignal", "runtime.sigpanic", "runtime.panicmem", "runtime.panicmemAddr", "runtime.panicdivide",
    "runtime.panicshift", "runtime.panicnil", "runtime.panicwrap", "runtime.panicoverflow", "runtime.abort",
    "runtime.badsignal", "runtime.goexit0", "runtime.sigtrampgo",
  ]

  private static let failurePrefixes = [
    "core::panicking::", "core::slice::index::slice_", "std::__throw_", "std::rt::panic", "std::rt::begin_panic",
    "runtime.goPanic", "runtime.panicIndex", "runtime.panicSlice", "runtime.panicdottype", "runtime.panicunsafe",
    "__ubsan_handle_", "__ubsan::Scoped", "__asan_report_", "__asan::Report", "__sanitizer::Die", "__sanitizer::Abort",
    "__sanitizer::CheckFailed", "__tsan::Report", "swift_dynamicCastFailure", "swift_abort", "std::abort",
    "-[NSException raise", "+[NSException raise", "-[NSAssertionHandler handleFailure",
  ]
}
