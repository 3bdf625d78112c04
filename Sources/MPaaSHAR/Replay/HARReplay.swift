import MPaaSSupport

/// The recorded answers to requests: the best match by method, path, query and body.
///
/// Requests that were recorded several times get their answers in the order of the recording; the last one then stays.
/// An entry without an answer, which a browser blocked or cut off, answers nothing.
package struct HARReplay: Sendable {
  /// The closeness that a request needs for an answer.
  package enum Closeness: String, Sendable, CaseIterable {
    /// Query and body must be the same.
    case exact
    /// The nearest request to the same path will do.
    case nearest
  }

  /// The answer to a request.
  package struct Answer: Sendable {
    /// The number of the entry in the recording, from 0.
    package let index: Int
    package let entry: HAREntry
    /// False where query, body or host differ.
    package let isExact: Bool

    package var status: Int { entry.response.status }

    /// The headers without those that belong to a connection or to a coding of the body, which is undone.
    package var headers: [HARField] {
      entry.response.headers.filter { field in
        let name = field.name.lowercased()
        return !name.hasPrefix(":") && !Self.ofConnection.contains(name)
      }
    }

    package var body: [UInt8] { entry.response.body ?? [] }

    private static let ofConnection: Set<String> = [
      "connection", "content-encoding", "content-length", "keep-alive", "proxy-connection", "te", "trailer",
      "transfer-encoding", "upgrade",
    ]
  }

  private let entries: [HAREntry]
  private let requests: [RecordedRequest?]
  /// The numbers of entries by method and path.
  private var places: [String: [Int]] = [:]
  /// For the first of several equal requests, how many of them were answered.
  private var answered: [Int: Int] = [:]
  private let closeness: Closeness
  private let ignored: NameSet
  private let masker: Masker?

  /// Takes a recording.
  ///
  /// - Parameters:
  ///   - ignoring: Names of parameters and of JSON members that are not compared, in lower case with `*`: moments,
  ///     signatures, numbers drawn by chance.
  ///   - rules: The rules that the recording was masked by: requests are masked alike before they are compared.
  package init(
    _ file: HARFile, closeness: Closeness = .nearest, ignoring: [String] = [], rules: MaskRules? = .usual
  ) {
    let ignored = NameSet(ignoring.map { $0.lowercased() })
    let masker = rules.map { Masker($0) }
    entries = file.entries
    self.closeness = closeness
    self.ignored = ignored
    self.masker = masker
    requests = file.entries.map { entry in
      guard entry.response.status > 0 else { return nil }
      let request = entry.request
      var headers = request.headers
      if headers.header("content-type") == nil, let type = request.bodyType {
        headers.append(HARField("content-type", type))
      }
      return RecordedRequest(
        method: request.method, url: request.url, headers: headers, body: request.body ?? [], ignored: ignored,
        masker: masker)
    }
    for (index, request) in requests.enumerated() {
      if let request { places[Self.key(request), default: []].append(index) }
    }
  }

  private static func key(_ request: RecordedRequest) -> String { "\(request.method) \(request.path)" }

  /// The number of entries that may answer.
  package var count: Int { requests.count { $0 != nil } }

  /// Begins all sequences again.
  package mutating func restart() { answered = [:] }

  /// The answer to a request; nil where none was recorded for its method and path, or none that is close enough.
  ///
  /// - Parameter url: An absolute URL, or a path with a query: then any host was meant.
  package mutating func answer(
    method: String, url: String, headers: [HARField] = [], body: [UInt8] = []
  ) -> Answer? {
    let request = RecordedRequest(
      method: method, url: url, headers: headers, body: body, ignored: ignored, masker: masker)
    let candidates: [(index: Int, request: RecordedRequest, distance: RequestDistance)] =
      (places[Self.key(request)] ?? []).compactMap { index in
        requests[index].map { (index, $0, request.distance(to: $0)) }
      }
    guard let nearest = candidates.min(by: { ($0.distance, $0.index) < ($1.distance, $1.index) }) else { return nil }
    let isExact = nearest.distance == RequestDistance(query: 0, body: 0, host: 0)
    let isSame = nearest.distance.query == 0 && nearest.distance.body == 0
    guard isSame || closeness == .nearest else { return nil }
    let equal = candidates.filter { $0.request == nearest.request }
    let turn = answered[nearest.index, default: 0]
    answered[nearest.index] = min(turn + 1, equal.count)
    let index = equal[min(turn, equal.count - 1)].index
    return Answer(index: index, entry: entries[index], isExact: isExact)
  }
}
