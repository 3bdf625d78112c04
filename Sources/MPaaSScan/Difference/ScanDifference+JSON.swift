package import MPaaSSupport

extension ScanDifference {
  package var json: JSONValue {
    .object([
      "size": total.json, "images": .array(images.map(\.json)), "segments": .array(segments.map(\.json)),
      "sections": .array(sections.map(\.json)), "modules": .array(modules.map(\.json)),
      "permissions": permissions.json, "entitlements": entitlements.json, "schemes": schemes.json,
      "parts": parts.json, "findings": findings.json,
      "hardeningLost": .array(
        losses.map { loss in
          [
            "image": .string(loss.image), "fact": .string(loss.fact), "old": .string(loss.old),
            "new": .string(loss.new),
          ]
        }),
    ])
  }
}

extension ScanDifference.SizeChange {
  fileprivate var json: JSONValue {
    var members: JSONValue.Object = ["old": JSONValue(old), "new": JSONValue(new), "change": JSONValue(change)]
    if !name.isEmpty { members["name"] = .string(name) }
    return .object(members)
  }
}

extension ScanDifference.NameChange {
  fileprivate var json: JSONValue { ["added": JSONValue(texts: added), "removed": JSONValue(texts: removed)] }
}
