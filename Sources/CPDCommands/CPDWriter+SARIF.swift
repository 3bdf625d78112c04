import CommandKit
import MPaaSCPD
import MPaaSSupport
import MPaaSTerminal
import MPaaSToolSupport

extension CPDWriter {
  /// The clones as a SARIF log: each at its first place, with the others beside it.
  var sarif: JSONValue {
    let document = SARIFDocument(toolVersion: KitVersion.current.version)
    let types = Set(report.clones.map(\.clone.type.rawValue)).sorted()
    let indexes = Dictionary(uniqueKeysWithValues: types.enumerated().map { ($1, $0) })
    let rules = types.map { type in
      SARIFDocument.Rule(
        id: "cpd-type-\(type)", short: catalogue.text("text.cpd-rule-\(type)"),
        full: catalogue.text("text.cpd-rule-\(type)-full"), help: catalogue.text("text.cpd-rule-help"),
        level: "warning")
    }
    return document.document(rules: rules, results: report.clones.map { result($0, document, indexes) })
  }

  private func result(_ found: FoundClone, _ document: SARIFDocument, _ indexes: [Int: Int]) -> JSONValue {
    let type = found.clone.type.rawValue
    let locations = zip(found.clone.places, found.spans).map { place, span -> JSONValue in
      ["physicalLocation": location(place, span, document)]
    }
    return [
      "ruleId": .string("cpd-type-\(type)"), "ruleIndex": JSONValue(indexes[type] ?? 0), "level": "warning",
      "message": ["text": .string(view.heading(found, catalogue))], "locations": .array(Array(locations.prefix(1))),
      "relatedLocations": .array(
        locations.enumerated().dropFirst().map { index, location in
          var location = location.object ?? [:]
          location["id"] = JSONValue(index)
          return .object(location)
        }),
      "partialFingerprints": ["cpdTokens/v1": .string(found.clone.key)],
    ]
  }

  private func location(_ place: ClonePlace, _ span: CloneSpan, _ document: SARIFDocument) -> JSONValue {
    let path = report.sources[span.source].path
    var region: JSONValue.Object = [
      "startLine": JSONValue(span.start), "endLine": JSONValue(max(span.end, span.start)),
    ]
    if let range = view.texts.range(place), let source = view.texts.tokens(place.source) {
      region["startColumn"] = JSONValue(source.column(range.lowerBound))
      region["endColumn"] = JSONValue(source.column(range.upperBound))
    }
    return [
      "artifactLocation": document.artifact(path.hasPrefix("./") ? String(path.dropFirst(2)) : path),
      "region": .object(region),
    ]
  }
}
