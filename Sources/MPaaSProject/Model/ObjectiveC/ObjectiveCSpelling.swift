import MPaaSSupport

/// Objective-C's spelling of names and strings.
enum ObjectiveCSpelling {
  /// A name for a property that is no keyword, no method of every object, and no method that returns what its caller owns.
  static func property(_ name: String) -> String {
    if name == "id" { return "identifier" }
    if reserved.contains(name) { return name + "Value" }
    for family in ["alloc", "copy", "init", "mutableCopy", "new"] where name.hasPrefix(family) {
      let next = name.dropFirst(family.count).first
      if next?.isLowercase != true { return "the" + name.prefix(1).uppercased() + name.dropFirst() }
    }
    return name
  }

  /// The literal of a string: `@"…"`.
  static func literal(_ text: String) -> String { "@" + plain(text) }

  /// The literal of a C string in UTF-8; octal escapes end after three digits, so nothing behind them joins them.
  static func plain(_ text: String) -> String {
    var result = "\""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): result += "\\\""
      case UInt8(ascii: "\\"): result += "\\\\"
      case UInt8(ascii: "\n"): result += "\\n"
      case UInt8(ascii: "?"): result += "\\?"
      case 0x20..<0x7f: result.unicodeScalars.append(Unicode.Scalar(byte))
      default: result += "\\" + byte.padded(to: 3, radix: 8)
      }
    }
    return result + "\""
  }

  /// Types that are there without a prefix.
  static let types: Set<String> = [
    "Class", "Protocol", "SEL", "IMP", "BOOL", "Nil", "NULL", "YES", "NO", "Boolean", "Point", "Rect", "Size", "Style",
    "Handle", "Fixed", "Ptr",
    "Byte", "Method", "Ivar", "Category", "Object", "Cell", "Comment", "Component", "Collection", "Button", "OSType",
    "NSObject", "NSString", "NSNumber", "NSArray", "NSDictionary", "NSSet", "NSError", "NSNull", "FILE", "Float64",
  ]

  private static let reserved: Set<String> = [
    // C and Objective-C
    "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum", "extern", "float",
    "for", "goto", "if", "inline", "int", "long", "register", "restrict", "return", "short", "signed", "sizeof",
    "static", "struct", "switch", "typedef", "typeof", "union", "unsigned", "void", "volatile", "while", "asm", "bool",
    "in", "out", "inout", "byref", "bycopy", "oneway", "self", "super", "nil", "Nil", "YES", "NO", "NULL", "SEL",
    "IMP", "BOOL", "Class", "Protocol", "instancetype", "nonnull", "nullable", "signal", "errno", "stdin", "stdout",
    "stderr", "true", "false", "json", "path", "error", "members", "linux", "unix", "index",
    // C++, since headers are imported there too
    "and", "catch", "class", "delete", "explicit", "export", "friend", "mutable", "namespace", "not", "operator", "or",
    "private", "protected", "public", "template", "this", "throw", "try", "typename", "using", "virtual", "xor",
    // Methods of every object
    "description", "debugDescription", "hash", "isEqual", "superclass", "zone", "retain", "release", "autorelease",
    "retainCount", "dealloc", "finalize", "load", "initialize", "isProxy", "observationInfo", "classForCoder",
    "attributeKeys", "className", "scriptingProperties", "JSONObject",
  ]
}
