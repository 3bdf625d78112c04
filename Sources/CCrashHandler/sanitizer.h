/// Tells whether a sanitizer is built in. Private.
///
/// Sanitizers stand in front of `pthread_create` and `fputs` as we do, and two in front of one function lose each
/// other: there we stay away. Then only threads that exist at installation get an alternate stack from us, and Swift's
/// fatal errors are not among the last words.
#ifndef MP_SANITIZER_H
#define MP_SANITIZER_H

#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define MP_HAS_SANITIZER 1
#endif
#endif
#if !defined(MP_HAS_SANITIZER) && (defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__))
#define MP_HAS_SANITIZER 1
#endif
#ifndef MP_HAS_SANITIZER
#define MP_HAS_SANITIZER 0
#endif

#endif
