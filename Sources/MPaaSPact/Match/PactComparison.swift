import MPaaSJSON
import MPaaSSupport

/// The comparison of what came with what a contract expects.
package enum PactComparison {
  /// The differences of a request; members that are not expected are differences.
  package static func request(_ expected: PactRequest, _ actual: PactRequest) -> [PactMismatch] {
    method(expected, actual) + path(expected, actual)
      + query(expected, actual)
      + HeaderMatching(expected.rules[.header]).compare(expected.headers, actual.headers)
      + BodyMatching(expected.rules[.body], isStrict: true)
      .compare(expected.body, expected.headers, actual.body, actual.headers)
  }

  /// The differences of a response; members that are not expected are none.
  package static func response(_ expected: PactResponse, _ actual: PactResponse) -> [PactMismatch] {
    status(expected, actual) + HeaderMatching(expected.rules[.header]).compare(expected.headers, actual.headers)
      + BodyMatching(expected.rules[.body], isStrict: false)
      .compare(expected.body, expected.headers, actual.body, actual.headers)
  }

  /// The differences of a message; members that are not expected are none.
  package static func message(_ expected: PactMessage, _ actual: PactMessage) -> [PactMismatch] {
    func headers(_ message: PactMessage) -> [PactField] {
      message.body.isPresent ? [PactField("content-type", [message.mediaType.description])] : []
    }
    return metadata(expected, actual)
      + BodyMatching(expected.rules[.body], isStrict: false)
      .compare(expected.body, headers(expected), actual.body, headers(actual))
  }

  // MARK: Parts

  private static func method(_ expected: PactRequest, _ actual: PactRequest) -> [PactMismatch] {
    guard expected.method.uppercased() != actual.method.uppercased() else { return [] }
    return [PactMismatch(.method, "", .methodDiffers, ["expected": expected.method, "actual": actual.method])]
  }

  private static func query(_ expected: PactRequest, _ actual: PactRequest) -> [PactMismatch] {
    let all = QueryMatching(expected.rules[.query], .query).compare(expected.query, actual.query)
    guard all.isEmpty, let text = expected.queryText, let came = actual.queryText, text != came else { return all }
    // Texts of version 1 are equal or not: another order of the same parameters is another query.
    return [PactMismatch(.query, "", .notEqual, ["expected": "'\(text)'", "actual": "'\(came)'"])]
  }

  private static func path(_ expected: PactRequest, _ actual: PactRequest) -> [PactMismatch] {
    if let found = expected.rules[.path].rules(at: .root) {
      let values = PactValues(takesTexts: true)
      let fault = values.fault(.text(expected.path), .text(actual.path), found.list, isCascaded: false)
      return fault.map { [PactMismatch(.path, "", $0)] } ?? []
    }
    guard expected.path != actual.path else { return [] }
    return [PactMismatch(.path, "", .pathDiffers, ["expected": expected.path, "actual": actual.path])]
  }

  private static func status(_ expected: PactResponse, _ actual: PactResponse) -> [PactMismatch] {
    if let found = expected.rules[.status].rules(at: .root) {
      let fault = PactValues(takesTexts: true).fault(
        .count(expected.status), .count(actual.status), found.list, isCascaded: false)
      return fault.map { [PactMismatch(.status, "", $0)] } ?? []
    }
    guard expected.status != actual.status else { return [] }
    return [
      PactMismatch(.status, "", .statusDiffers, ["expected": "\(expected.status)", "actual": "\(actual.status)"])
    ]
  }

  private static func metadata(_ expected: PactMessage, _ actual: PactMessage) -> [PactMismatch] {
    let matching = JSONMatching(expected.rules[.metadata], isStrict: false, part: .metadata)
    return expected.metadata.flatMap { member -> [PactMismatch] in
      // The type of the body is compared with the body.
      if ["contenttype", "content-type"].contains(member.name.lowercased()) { return [] }
      guard let value = actual.metadata.first(where: { $0.name == member.name })?.value else {
        return [PactMismatch(.metadata, member.name, .metadataMissing, ["name": member.name])]
      }
      return matching.compare(member.value, value, at: .root[member.name]).map {
        PactMismatch(.metadata, member.name, $0.reason, $0.values)
      }
    }
  }
}
