package import MPaaSJSON
import MPaaSSupport

/// The answer of a stub.
package struct ResponseDefinition: Sendable {
  package enum Body: Sendable {
    case none
    case text(String)
    case bytes([UInt8])
    case json(JSONNode)
    /// A file's path below `__files`, which may be a template.
    case file(String)
  }

  package struct Header: Sendable, Equatable {
    package let name: String
    package let values: [String]

    package init(_ name: String, _ values: [String]) {
      self.name = name
      self.values = values
    }
  }

  package struct Proxying: Sendable, Equatable {
    package var baseURL: String
    package var removedPrefix: String?
    package var addedHeaders: [Header] = []
    package var removedHeaders: [String] = []

    package init(baseURL: String) { self.baseURL = baseURL }
  }

  package var status = 200
  package var reason: String?
  package var headers: [Header] = []
  package var body = Body.none
  package var fault: MockFault?
  package var delay: DelayDistribution?
  /// The form in which a fixed delay was written.
  package var fixedDelay: Int?
  package var dribble: ChunkedDribble?
  package var proxying: Proxying?
  package var transformers: [String] = []
  package var transformerParameters: JSONNode?
  /// Members that are not known, as they were read.
  package var others: [JSONNode.Member] = []

  package init(status: Int = 200, headers: [(String, String)] = [], body: Body = .none) {
    self.status = status
    self.headers = headers.map { Header($0.0, [$0.1]) }
    self.body = body
  }

  package var isTemplate: Bool { transformers.contains("response-template") }
}

/// A fault on the connection in the place of an answer.
package enum MockFault: String, Sendable, CaseIterable {
  case connectionReset = "CONNECTION_RESET_BY_PEER"
  case emptyResponse = "EMPTY_RESPONSE"
  case malformedChunk = "MALFORMED_RESPONSE_CHUNK"
  case randomDataThenClose = "RANDOM_DATA_THEN_CLOSE"
}

/// A body that comes in parts over some time.
package struct ChunkedDribble: Sendable, Equatable {
  package let chunks: Int
  package let milliseconds: Int

  package init(chunks: Int, milliseconds: Int) {
    self.chunks = chunks
    self.milliseconds = milliseconds
  }
}
