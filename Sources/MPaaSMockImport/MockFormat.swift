package import MPaaSJSON
import MPaaSSupport

/// A mock server whose files become stubs.
package enum MockFormat: String, Sendable, CaseIterable {
  /// Simulations of Hoverfly, schema v5.
  case hoverfly
  /// Environments of Mockoon.
  case mockoon
  /// Collections of Postman, v2.1, by their saved examples.
  case postman

  /// Reads a file of the server.
  ///
  /// - Throws: `MockImportError` `mock-import-malformed`, `mock-import-shape`, `mock-import-version`.
  package func read(_ bytes: [UInt8], file: String) throws(MockImportError) -> MockImport {
    let root = try MockImportError.document(bytes, file)
    switch self {
    case .hoverfly: return try HoverflyImport.read(root, file: file)
    case .mockoon: return try MockoonImport.read(root, file: file)
    case .postman: return try PostmanImport.read(root, file: file)
    }
  }

  /// The format that a document is of by its members; nil where it is of none.
  package static func detected(_ root: JSONNode) -> MockFormat? {
    if root["data"]?["pairs"] != nil { return .hoverfly }
    if root["info"]?["schema"] != nil, root["item"] != nil { return .postman }
    if root["routes"] != nil || root["source"]?.string?.hasPrefix("mockoon") == true { return .mockoon }
    return nil
  }
}
