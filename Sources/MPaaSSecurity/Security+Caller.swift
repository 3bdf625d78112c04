public import CSecurity

extension Security {
  /// Tells whether the function that calls this was called by code of neither the app nor its libraries.
  ///
  /// Put it first into a function that only the app may call, and mark that function `@inline(never)`: one that is
  /// inlined has the caller of the function around it. The caller's caller counts, too, since the compiler puts a thunk
  /// between C and Swift. In C and Objective-C it is `mp_called_from_outside()`.
  /// - Returns: False also where it is not known.
  @inlinable @inline(__always)
  public static func callerIsForeign() -> Bool { mp_security_caller_is_foreign() == 1 }
}
