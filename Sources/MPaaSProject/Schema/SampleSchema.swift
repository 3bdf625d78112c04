package import MPaaSJSON
import MPaaSSupport

/// A JSON Schema of what samples have in common.
package enum SampleSchema {
  /// The schema that all samples fit and as little else as can be told.
  ///
  /// - Parameter dates: Whether strings that are all dates are taken for dates.
  /// - Parameter maps: The places where somebody says what an object is.
  /// - Returns: The schema, and the paths in `maps` at which no sample has an object.
  package static func schema(
    of samples: [JSONNode], dates: Bool = true, maps: SampleMaps = SampleMaps()
  ) -> (schema: JSONNode, unused: [String]) {
    var shape = SampleShape()
    for sample in samples { shape.add(sample) }
    var writer = SampleSchemaWriter(dates: dates, maps: maps)
    let schema = writer.schema(of: shape, at: [])
    return (schema, maps.all.filter { !writer.used.contains($0) })
  }

  /// Tells whether a document is a schema itself rather than a sample.
  package static func isSchema(_ root: JSONNode, file: String) -> Bool {
    if file.hasSuffix(".schema") || file.hasSuffix(".schema.json") { return true }
    guard let members = root.members, !members.isEmpty else { return false }
    let names = Set(members.map(\.name))
    if !names.isDisjoint(with: ["$schema", "$ref", "$defs"]) { return true }
    let types = root["type"].map { $0.elements ?? [$0] } ?? []
    let isTyped = !types.isEmpty && types.allSatisfy { $0.string.flatMap(ModelKind.init) != nil }
    let isStructured =
      root["properties"]?.members?.allSatisfy { $0.value.members != nil || $0.value.bool != nil } ?? false
    let combines = ["allOf", "anyOf", "oneOf"].contains { root[$0]?.elements?.allSatisfy { $0.members != nil } == true }
    return (isTyped && names.count > 1) || isStructured || combines || isBare(members)
  }

  /// Tells whether every member is a keyword with a value that it can have, and one of them can hardly be anything
  /// else.
  private static func isBare(_ members: [JSONNode.Member]) -> Bool {
    let remarks: Set = ["title", "description", "default", "examples", "format", "$comment"]
    var isStrong = false
    for member in members where !remarks.contains(member.name) {
      guard fits(member) else { return false }
      isStrong = true
    }
    return isStrong
  }

  private static func fits(_ member: JSONNode.Member) -> Bool {
    let value = member.value
    switch member.name {
    case "type": return (value.elements ?? [value]).allSatisfy { $0.string.flatMap(ModelKind.init) != nil }
    case "const": return true
    case "enum": return value.elements != nil
    case "pattern": return value.string != nil
    case "uniqueItems": return value.bool != nil
    case "required": return value.elements?.allSatisfy { $0.string != nil } ?? false
    case let name where Schema.maps.contains(name): return value.members != nil
    case let name where Schema.single.contains(name): return value.members != nil || value.bool != nil
    default:
      let bounds = ["inimum", "aximum", "Length", "Items", "Properties", "Contains", "multipleOf"]
      return value.number != nil && bounds.contains { member.name.hasSuffix($0) }
    }
  }
}
