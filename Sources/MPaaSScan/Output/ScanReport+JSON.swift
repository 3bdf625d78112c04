package import MPaaSSupport

extension ScanReport {
  /// The report as the fixed interface of `mpaas scan --json` has it.
  package func json(_ judgement: ScanJudgement, _ words: ScanWords) -> JSONValue {
    func list(_ findings: [ScanFinding]) -> JSONValue { .array(findings.map { json($0, words) }) }
    return .object([
      "images": .array(images.map(\.json)), "findings": list(judgement.counted), "known": list(judgement.known),
      "allowed": .array(
        judgement.allowed.map { finding, reason in
          var members = json(finding, words).object ?? [:]
          members["reason"] = .string(reason)
          return .object(members)
        }),
      "expired": .array(
        judgement.expired.map { allowance in
          [
            "id": .string(allowance.id), "reason": .string(allowance.reason),
            "expires": JSONValue(text: allowance.expires?.description),
          ]
        }),
      "components": .array(components.map(json)), "bundles": .array(bundles.map(\.json)),
      "android": .array(androidManifests.map(\.json)), "files": JSONValue(files),
    ])
  }

  private func json(_ finding: ScanFinding, _ words: ScanWords) -> JSONValue {
    [
      "id": .string(finding.id.name), "severity": .string(finding.severity.rawValue),
      "masvs": JSONValue(text: finding.masvs), "path": .string(finding.place.path),
      "architecture": JSONValue(text: finding.place.architecture),
      "offset": finding.place.offset.map { JSONValue($0) } ?? .null, "evidence": .string(finding.evidence),
      "message": .string(words.message(finding)), "help": .string(words.help(finding.id.name)),
      "key": .string(key(of: finding)),
    ]
  }

  private func json(_ component: ScanComponent) -> JSONValue {
    [
      "kind": .string(component.kind.rawValue), "name": .string(component.name),
      "version": JSONValue(text: component.version), "path": .string(component.path),
      "source": .string(component.source),
    ]
  }
}

extension BundleFacts {
  package var json: JSONValue {
    [
      "path": .string(path), "identifier": JSONValue(text: identifier), "version": JSONValue(text: version),
      "build": JSONValue(text: build), "minimumSystem": JSONValue(text: minimumSystem),
      "schemes": JSONValue(texts: schemes), "usages": .object(usages.mapValues(JSONValue.string)),
    ]
  }
}

extension AndroidManifest {
  package var json: JSONValue {
    [
      "path": .string(path), "package": JSONValue(text: package), "versionName": JSONValue(text: versionName),
      "versionCode": JSONValue(text: versionCode), "minSdkVersion": minimumLevel.map { JSONValue($0) } ?? .null,
      "targetSdkVersion": targetLevel.map { JSONValue($0) } ?? .null, "permissions": JSONValue(texts: permissions),
      "schemes": JSONValue(texts: schemes),
    ]
  }
}
