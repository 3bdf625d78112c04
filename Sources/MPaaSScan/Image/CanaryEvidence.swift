/// The evidence for buffers on the stack that a canary would guard.
enum CanaryEvidence {
  /// Functions that C code mostly calls with arrays of its own; what reads into any memory tells nothing.
  private static let writers: Set<Substring> = [
    "gets", "strcpy", "strncpy", "stpcpy", "strcat", "strncat", "sprintf", "vsprintf", "snprintf", "vsnprintf",
    "sscanf", "scanf",
  ]

  /// Absence says something only of C code that has arrays.
  ///
  /// - Parameters:
  ///   - isOtherwiseSafe: Whether the code is of a language that checks bounds, or its compiler was told to check sizes,
  ///     as those who do so tell it to guard the stack, too.
  ///   - called: The names of functions of other images, without the underscore of Mach-O.
  static func state(has: Bool, isOtherwiseSafe: Bool, called: some Sequence<Substring>) -> ScanState {
    if has { return .yes }
    if isOtherwiseSafe { return .unknown }
    return called.contains { writers.contains($0) } ? .no : .unknown
  }
}
