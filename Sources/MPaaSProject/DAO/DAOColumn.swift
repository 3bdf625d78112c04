import MPaaSDeclarations

/// The ways in which SQLite keeps a value: the type of a column.
package enum DAOStorage: String, Sendable, Encodable {
  case integer, real, numeric, text, blob
}

/// The reason why a property has no column.
package enum DAOOmission: String, Sendable, Encodable, CaseIterable {
  /// A closure, a block or a pointer to a function.
  case function
  /// A view, a controller, a delegate: something of the running app.
  case live
  /// A pointer into memory.
  case pointer
  /// A weak reference.
  case weak
  /// Made when it is first asked for.
  case lazy
  /// The source says that it is not kept: `@Transient`, `@Ignore`.
  case transient
  /// Another property has the same name but for its case, which SQLite does not tell apart.
  case sameName = "same_name"
  /// A tuple, a type or a protocol's type: nothing that can be archived.
  case shapeless
  /// No type is written, and none can be told from the first value.
  case untyped
}

/// A property that is kept in a column.
package struct DAOColumn: Sendable, Equatable {
  package let property: String
  /// As the source has it.
  package let type: String
  package let storage: DAOStorage
  package let isOptional: Bool
  /// Tells whether the object is put into the column as an archive.
  package let isArchived: Bool
  /// Tells whether it was taken for an enumeration, since nothing in the files says what it is.
  package let isAssumed: Bool

  /// Its name as SQL takes it.
  package var name: String { SQLName.quoted(property) }
}

/// The storage of a type of Swift or Objective-C.
struct DAOTypeRule {
  enum Verdict: Equatable {
    case store(DAOStorage)
    /// As an archive in a blob.
    case archive
    /// An integer, if it is the enumeration that it seems to be.
    case assume
    case omit(DAOOmission)
  }

  /// The raw types of the enumerations that the files declare, by name; empty without one.
  var enumerations: [String: String] = [:]

  func verdict(_ property: PropertyDeclaration, _ language: TypeDeclaration.SourceLanguage) -> Verdict {
    let words = property.attributes + property.modifiers
    if words.contains(where: { ["Transient", "Ignore", "Ignored", "NonPersisted"].contains($0) }) {
      return .omit(.transient)
    }
    if words.contains(where: { $0 == "weak" || $0 == "unowned" || $0.hasPrefix("unowned(") }) { return .omit(.weak) }
    if property.modifiers.contains("lazy") { return .omit(.lazy) }
    return language == .swift ? swift(property.type) : objectiveC(property.type)
  }

  private static let integers: Set<String> = [
    "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Bool", "ObjCBool",
    "NSInteger", "NSUInteger", "CInt", "CLong", "CLongLong", "CUnsignedInt", "CBool", "time_t",
  ]
  private static let reals: Set<String> = [
    "Double", "Float", "CGFloat", "Float16", "Float80", "TimeInterval", "Date", "NSDate", "CDouble", "CFloat",
    "CFTimeInterval", "CFAbsoluteTime",
  ]
  private static let texts: Set<String> = [
    "String", "Substring", "Character", "NSString", "NSMutableString", "UUID", "URL", "NSURL", "NSUUID", "Decimal",
    "NSDecimalNumber", "StaticString", "Locale", "TimeZone",
  ]
  private static let blobs: Set<String> = ["Data", "NSData", "NSMutableData", "[UInt8]", "ContiguousArray<UInt8>"]
  private static let liveEndings = [
    "ViewController", "Controller", "View", "Layer", "Window", "Button", "Label", "Delegate", "DataSource", "Task",
    "Queue", "Timer", "Session", "Observer", "Cancellable", "Publisher", "Subject", "Lock", "Mutex", "Thread",
  ]

  private func plain(_ type: String) -> DAOStorage? {
    if Self.integers.contains(type) { return .integer }
    if Self.reals.contains(type) { return .real }
    if Self.texts.contains(type) { return .text }
    if Self.blobs.contains(type) { return .blob }
    return type == "NSNumber" ? .numeric : nil
  }

  private func isLive(_ type: String) -> Bool {
    let name = type.prefix { $0 != "<" }
    return Self.liveEndings.contains { name.hasSuffix($0) } || name.hasPrefix("dispatch_")
  }

  private func swift(_ written: String) -> Verdict {
    var type = written
    for module in ["Swift.", "Foundation.", "CoreGraphics.", "ObjectiveC."] where type.hasPrefix(module) {
      type = String(type.dropFirst(module.count))
    }
    if type.isEmpty { return .omit(.untyped) }
    if type.contains("->") { return .omit(.function) }
    if type.hasPrefix("Unsafe") || type == "OpaquePointer" { return .omit(.pointer) }
    if let storage = plain(type) { return .store(storage) }
    if let raw = enumerations[type] { return raw.isEmpty ? .archive : plain(raw).map { .store($0) } ?? .archive }
    if type.hasPrefix("(") || type.hasPrefix("any ") || type.hasPrefix("some ") || type.hasSuffix(".Type")
      || ["Any", "AnyObject", "Never", "Void"].contains(type)
    {
      return .omit(.shapeless)
    }
    return isLive(type) ? .omit(.live) : .archive
  }

  private static let cIntegers: Set<String> = [
    "int", "short", "char", "long", "unsigned", "signed", "BOOL", "bool", "_Bool", "Boolean", "size_t", "ssize_t",
    "int8_t", "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t", "unichar", "SInt16",
    "SInt32", "SInt64", "intptr_t", "uintptr_t", "off_t", "uint", "ptrdiff_t",
  ]
  private static let cStructures: Set<String> = [
    "CGRect", "CGSize", "CGPoint", "CGVector", "CGAffineTransform", "NSRange", "UIEdgeInsets", "UIOffset",
    "CLLocationCoordinate2D", "CATransform3D", "NSDirectionalEdgeInsets",
  ]
  private static let cPointers: Set<String> = ["SEL", "IMP", "Ivar", "Method", "objc_property_t", "va_list"]
  private static let qualifiers: Set<String> = [
    "const", "volatile", "__kindof", "__strong", "__unsafe_unretained", "__autoreleasing", "struct", "enum",
  ]

  private func objectiveC(_ written: String) -> Verdict {
    if written.contains("^") || written.contains("(*)") { return .omit(.function) }
    let isPointer = written.contains("*") && written.last == "*"
    let base = written.prefix { $0 != "<" && $0 != "*" }
    let words = base.split(separator: " ").map(String.init).filter { !Self.qualifiers.contains($0) }
    let name = words.joined(separator: " ")
    let isNumber = !words.isEmpty && words.allSatisfy { Self.cIntegers.contains($0) }
    if isPointer {
      if isNumber || name == "void" || name.hasPrefix("CF") || written.hasSuffix("**") { return .omit(.pointer) }
      if let storage = plain(name) { return .store(storage) }
      return isLive(name) ? .omit(.live) : .archive
    }
    if isNumber { return .store(.integer) }
    if ["float", "double", "long double"].contains(name) { return .store(.real) }
    if name == "NSTimeInterval" { return .store(.real) }
    if Self.cStructures.contains(name) { return .archive }
    if Self.cPointers.contains(name) || name.hasSuffix("Ref") { return .omit(.pointer) }
    if name == "Class" { return .omit(.shapeless) }
    if let storage = plain(name) { return .store(storage) }
    if name == "id" { return written.contains("Delegate") || written.contains("DataSource") ? .omit(.live) : .archive }
    if name == "instancetype" || name.hasPrefix("dispatch_") { return .omit(.live) }
    if name.hasSuffix("Block") || name.hasSuffix("Handler") || name.hasSuffix("Callback") { return .omit(.function) }
    return .assume
  }
}
