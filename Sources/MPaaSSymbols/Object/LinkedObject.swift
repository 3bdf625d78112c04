/// An object file that an image was linked from, or one in a library: `libfile.a(member.o)`.
package struct LinkedObject: Sendable {
  package let path: String
  /// The time of its making, in seconds since 1970; 0 where the linker did not say.
  package let modified: Int64

  /// The library's or the object file's own path.
  package var file: String { Self.split(path).file }
  package var member: String? { Self.split(path).member }

  /// `lib.a(member.o)` in its two parts.
  private static func split(_ path: String) -> (file: String, member: String?) {
    guard path.hasSuffix(")"), let open = path.lastIndex(of: "("), open > path.startIndex else { return (path, nil) }
    return (String(path[..<open]), String(path[path.index(after: open)...].dropLast()))
  }
}
