/// The way to a value from the outermost one.
///
/// It is a chain, whose keys are put in a list only where an error or a type of the app asks for them: that is seldom, and a
/// list a value would take longer than reading it.
final class RPCCodingPath {
  private let parent: RPCCodingPath?
  private let key: any CodingKey
  /// The number of keys.
  let count: Int

  init(_ parent: RPCCodingPath?, _ key: any CodingKey) {
    self.parent = parent
    self.key = key
    count = (parent?.count ?? 0) + 1
  }

  static func keys(_ path: RPCCodingPath?) -> [any CodingKey] {
    var keys: [any CodingKey] = []
    var next = path
    while let path = next {
      keys.append(path.key)
      next = path.parent
    }
    return keys.reversed()
  }
}

/// The name of an element in a path.
struct RPCIndexKey: CodingKey {
  let index: Int
  var stringValue: String { "[\(index)]" }
  var intValue: Int? { index }

  init(_ index: Int) { self.index = index }
  init?(stringValue: String) { nil }
  init?(intValue: Int) { self.init(intValue) }
}

/// The member that a superclass is written into.
struct RPCSuperKey: CodingKey {
  var stringValue: String { "super" }
  var intValue: Int? { nil }

  init() {}
  init?(stringValue: String) { nil }
  init?(intValue: Int) { nil }
}

/// The whole numbers of the standard library besides `Int`.
enum RPCIntegers {
  private static let types = [
    ObjectIdentifier(Int64.self), ObjectIdentifier(Int32.self), ObjectIdentifier(Int16.self),
    ObjectIdentifier(Int8.self),
    ObjectIdentifier(UInt.self), ObjectIdentifier(UInt64.self), ObjectIdentifier(UInt32.self),
    ObjectIdentifier(UInt16.self), ObjectIdentifier(UInt8.self),
  ]

  static func contain(_ type: Any.Type) -> Bool { types.contains(ObjectIdentifier(type)) }
}
