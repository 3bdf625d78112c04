import MPaaSCrashReport
import MPaaSSupport

/// The closure in the name of a library's generic code: what was inlined of it has no name but this.
enum CarriedClosure {
  /// The function that the closure is written in, `Feed::prepare` of
  /// `std::_Function_handler<int (int), Feed::prepare()::{lambda(int)#1}>::_M_invoke(std::_Any_data const&, int&&)`;
  /// nil where the name has no closure of a program's.
  static func owner(of name: String) -> String? {
    guard name.utf8.count <= longest else { return nil }
    for mark in ["::{lambda(", "::$_", "::{closure#", "::'lambda"] {
      guard let place = name.place(of: mark) else { continue }
      let start = beginning(of: name[..<place.lowerBound])
      let function = name[start..<place.lowerBound]
      let plain = CanonicalName.of(String(function))
      guard !plain.isEmpty, !RuntimeCode.isRuntime(CrashReport.Call(function: String(function))) else { return nil }
      return plain
    }
    return nil
  }

  private static let longest = 1 << 12

  /// The start of the argument that the text ends in: behind a bracket that is not closed, or a comma.
  private static func beginning(of text: Substring) -> Substring.Index {
    var depth = 0
    var index = text.endIndex
    while index > text.startIndex {
      let before = text.index(before: index)
      switch text[before] {
      case ">" where before > text.startIndex && text[text.index(before: before)] == "-": break
      case ")", ">", "]", "}": depth += 1
      case "(", "<", "[", "{":
        if depth == 0 { return index }
        depth -= 1
      case ",", " ":
        if depth == 0 { return index }
      default: break
      }
      index = before
    }
    return text.startIndex
  }
}
