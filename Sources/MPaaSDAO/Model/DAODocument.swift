package import MPaaSSupport
package import MPaaSXML

/// A DAO document: a table with its version, the pieces that statements are made of, and the methods.
package struct DAODocument: Sendable {
  /// A piece of SQL that `${name}` stands for.
  package enum Fragment: Sendable {
    case constant(XMLText)
    case elements([XMLElement.Child])
  }

  /// The properties of a class that columns become; those that are not named keep the names of their columns.
  package struct Map: Sendable {
    package let className: String
    package var properties: [String: String]
    package let position: DAOPosition
  }

  package struct Upgrade: Sendable {
    package let version: DottedVersion
    package let body: XMLElement
  }

  package internal(set) var name = ""
  package internal(set) var initializer: String?
  package internal(set) var tableName: String?
  package internal(set) var version = DottedVersion("1.0")
  package internal(set) var resetsOnUpgrade = false
  /// Tables of older versions are made anew.
  package internal(set) var leastVersion: DottedVersion?
  package internal(set) var fragments: [String: Fragment] = [:]
  package internal(set) var fragmentPositions: [String: DAOPosition] = [:]
  package internal(set) var maps: [String: Map] = [:]
  package internal(set) var secrets: Set<DAOSecret> = []
  /// In ascending order of their versions.
  package internal(set) var upgrades: [Upgrade] = []
  /// In the order of the document.
  package internal(set) var methods: [DAOMethod] = []
  package internal(set) var position = DAOPosition(1, 1)
  /// True where something asks SQLite to keep what was done before a failure.
  package internal(set) var speaksOfFail = false
  package let file: String?
  /// The number of bytes of the document.
  package internal(set) var size = 0

  init(file: String?) { self.file = file }

  /// Reads a document.
  ///
  /// - Parameter file: The name that errors tell.
  /// - Throws: The first thing that is wrong with its elements and attributes; what is inside of statements shows when
  ///   they are compiled.
  package init(reading bytes: [UInt8], file: String? = nil) throws(DAOError) {
    var reader = DAODocumentReader(file: file)
    do {
      try reader.read(bytes)
    } catch {
      throw error.placed(at: nil, in: file)
    }
    if let first = reader.findings.first(where: { $0.severity == .error }) {
      throw first.error.placed(at: nil, in: file)
    }
    self = reader.document
  }

  /// The method of a name with a number of arguments.
  package func method(_ name: String, _ count: Int) -> DAOMethod? {
    methods.first { $0.name == name && $0.arguments.count == count }
  }

  /// The size that all statements together may grow to: pieces that are reused cannot make much of a small document.
  var allowance: Int { 4 << 20 + 8 * size }
}

extension DAODocument {
  /// Leaves out the methods that `isKept` does not want.
  package mutating func keepMethods(_ isKept: (DAOMethod) -> Bool) { methods.removeAll { !isKept($0) } }
}
