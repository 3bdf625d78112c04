/// Values as text, with what they are made of, for logs and the debugger's console.
public enum Dump {
  /// The lines that are written at most.
  private static let lineLimit = 200
  /// The elements of a collection that are written.
  private static let elementLimit = 20
  /// The characters of one value.
  private static let textLimit = 200

  /// Describes a value and its parts, a line each, indented.
  ///
  /// It stops at objects that are being described already, below `depth`, and where the text becomes long.
  ///
  /// - Parameters:
  ///   - value: Any value.
  ///   - depth: The levels of parts that are described; 0 for the value alone.
  public static func describe(_ value: Any, depth: Int = 3) -> String {
    var dump = Text()
    dump.add(value, label: nil, depth: max(depth, 0), indent: 0)
    return dump.lines.joined(separator: "\n")
  }

  private struct Text {
    var lines: [String] = []
    /// The objects that the present one is part of.
    var around: [ObjectIdentifier] = []

    mutating func add(_ value: Any, label: String?, depth: Int, indent: Int) {
      guard lines.count < Dump.lineLimit else {
        if lines.count == Dump.lineLimit { lines.append("…") }
        return
      }
      let mirror = Mirror(reflecting: value)
      let start = String(repeating: "  ", count: indent) + (label.map { $0 + ": " } ?? "")
      let object = mirror.displayStyle == .class ? ObjectIdentifier(value as AnyObject) : nil
      if let object, around.contains(object) {
        lines.append(start + "\(type(of: value)) (again)")
        return
      }
      let parts = Self.parts(of: mirror)
      guard !parts.isEmpty else {
        lines.append(start + Self.text(value))
        return
      }
      let count =
        mirror.displayStyle.map { [.collection, .set, .dictionary].contains($0) } == true ? " (\(parts.count))" : ""
      lines.append(start + "\(type(of: value))" + count + (depth == 0 ? " …" : ""))
      guard depth > 0 else { return }
      if let object { around.append(object) }
      for (index, part) in parts.prefix(Dump.elementLimit).enumerated() {
        add(part.value, label: part.label ?? "\(index)", depth: depth - 1, indent: indent + 1)
      }
      if parts.count > Dump.elementLimit {
        lines.append(String(repeating: "  ", count: indent + 1) + "… \(parts.count - Dump.elementLimit) more")
      }
      if object != nil { around.removeLast() }
    }

    /// The parts of a value, those of its superclasses first; an optional's is the value in it.
    private static func parts(of mirror: Mirror) -> [Mirror.Child] {
      var parts = mirror.children.prefix(10_000).map { $0 }
      var next = mirror.superclassMirror
      while let mirror = next {
        parts = mirror.children.prefix(10_000).map { $0 } + parts
        next = mirror.superclassMirror
      }
      return parts
    }

    private static func text(_ value: Any) -> String {
      let text = value as? String
      let whole = text.map { "\"\($0)\"" } ?? "\(value)"
      let short = whole.count > Dump.textLimit ? whole.prefix(Dump.textLimit) + "…" : whole[...]
      return short.split(whereSeparator: \.isNewline).joined(separator: "⏎")
    }
  }
}
