/// The number by which a queue knows a transfer.
public struct TransferID: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
  /// The number itself.
  public let rawValue: Int64

  /// Makes an ID from its number.
  public init(rawValue: Int64) { self.rawValue = rawValue }

  /// The number in decimal digits.
  public var description: String { String(rawValue) }
}

/// A file to bring to a server, or from one.
public struct Transfer: Sendable, Hashable, Codable {
  /// The way of the bytes.
  public enum Method: String, Sendable, Hashable, Codable, CaseIterable {
    /// GET into the file, resumed by ranges.
    case get
    /// tus 1.0: an upload that goes on where it broke off.
    case tus
    /// The IETF's resumable uploads (draft-ietf-httpbis-resumable-upload); servers that know none get one request.
    case resumable
    /// One PUT of the file.
    case put
    /// One POST with the file as its body.
    case post
    /// One POST of a form (multipart/form-data) with the file in it.
    case multipart
    /// An object of a store that speaks S3, in parts where it is large.
    case s3
  }

  /// Over what it may go.
  public enum NetworkRule: String, Sendable, Hashable, Codable, CaseIterable {
    /// Over any network.
    case any
    /// Over Wi-Fi only.
    case wifi
  }

  /// The confirmation by a server must say for an upload in one request to be done.
  public enum Confirmation: String, Sendable, Hashable, Codable {
    /// The file's SHA-256 in hexadecimal: what only stands in between, such as a portal, cannot say so.
    case digest
  }

  /// The protocol that carries the bytes.
  public var method: Method
  /// The address that takes an upload (tus: the one that makes uploads; S3: `s3://BUCKET/NAME`), or that has the file.
  public var url: String
  /// Further addresses that have the file of a download.
  public var mirrors: [String] = []
  /// The file that is sent, or written.
  public var file: String
  /// Sent twice with the same word, it is in the queue once, also after it is done.
  public var batch: String?
  /// The app's name for it.
  public var tag: String?
  /// Higher ones go first; of the same, the one that was added first.
  public var priority = 0
  /// The networks that the transfer may use.
  public var network = NetworkRule.any
  /// 0…1: with less in the battery it waits, where nothing charges it.
  public var leastBattery: Double?
  /// Seconds since 1970: not done by then, it has failed.
  public var deadline: Double?
  /// Sent with each request.
  ///
  /// Tokens stand better in `TransferOptions.headers`, which nothing writes down.
  public var headers: [String: String] = [:]
  /// The facts for the server about an upload: tus metadata, fields of a form, `x-amz-meta-…`.
  public var metadata: [String: String] = [:]
  /// Bytes of one request; nil sends as much as there is.
  public var chunk: Int64?
  /// Parts that go at the same time (tus concatenation, S3 multipart, ranges of a download).
  public var parts = 1
  /// `sha1`, `sha256` or `crc32c`: each chunk of a tus upload bears its checksum.
  public var checksum: String?
  /// The digest of the whole file in lower-case hexadecimal: a file that does not have it is not accepted; nil: an
  /// upload's is computed while it is sent.
  public var sha256: String?
  /// The proof of PUT and POST beyond a status that says so; nil: none.
  public var confirmation: Confirmation?
  /// The origin of the file, where `file` is a copy that was made for the queue.
  public var source: String?
  /// Tells whether the file is removed once the server has it.
  public var removesFile = false

  /// Makes a transfer; all that is not given here has its default.
  public init(_ method: Method, _ url: String, file: String, batch: String? = nil, tag: String? = nil) {
    self.method = method
    self.url = url
    self.file = file
    self.batch = batch
    self.tag = tag
  }

  /// Tells whether it brings a file here.
  public var isDownload: Bool { method == .get }
}

/// The progress of a transfer.
public enum TransferState: String, Sendable, Hashable, Codable, CaseIterable {
  /// In the queue: its turn has not come, or it waits for a network, a time, or a server.
  case waiting
  /// Bytes go.
  case active
  /// Stopped until somebody resumes it.
  case paused
  /// The other side has the whole file, or it has come.
  case done
  /// It will not come to its end by itself; `resume` tries again.
  case failed
  /// Given up; `resume` takes it up again.
  case cancelled

  /// Tells whether nothing more happens to it by itself.
  public var isFinal: Bool { self == .done || self == .failed || self == .cancelled }
}

/// The reason why a transfer that could go does not.
public enum TransferHindrance: String, Sendable, Hashable, Codable, CaseIterable {
  /// There is no network.
  case network
  /// It may go over Wi-Fi only.
  case wifi
  /// The battery is too low, and nothing charges it.
  case battery
  /// The day's share of a mobile network is used up.
  case quota
  /// A server failed or asked for a pause; `notBefore` says until when.
  case retry
  /// Another process has it in hand.
  case elsewhere
}

/// A transfer as it stands in the queue.
public struct TransferRecord: Sendable, Hashable {
  /// The number of the transfer in its queue.
  public let id: TransferID
  /// The transfer as it was added.
  public var transfer: Transfer
  /// The state that the transfer has reached.
  public var state: TransferState
  /// Bytes that the other side has, or that came.
  public var moved: Int64
  /// Bytes in all; nil while it is unknown.
  public var size: Int64?
  /// Failures one after another, and requests that failed in all.
  public var failures: Int
  /// The number of requests that failed in all.
  public var attempts: Int
  /// Seconds since 1970 before which nothing is tried.
  public var notBefore: Double?
  /// The stable word of the last error, and what the server or the system said.
  public var error: String?
  /// The reason of the last error, as the server or the system gave it; nil for none.
  public var reason: String?
  /// The exit status of a command where the transfer is all that it does.
  package var exit: Int32?
  /// The address that the server gave an upload.
  public var location: String?
  /// Seconds since 1970 after which the server forgets an unfinished upload.
  public var expires: Double?
  /// The digest of the file as it went or came, in lower-case hexadecimal.
  public var sha256: String?
  /// The status and the body of the server's last answer to an upload, as far as it is short.
  public var status: Int?
  /// The body of the server's last answer to an upload, as far as it is short.
  public var answer: String?
  /// Seconds since 1970.
  public var created: Double
  /// The time of the last change of the record, in seconds since 1970.
  public var updated: Double
}

/// The progress of bytes, and their rate.
public struct TransferProgress: Sendable, Hashable {
  /// The bytes that have been moved.
  public var moved: Int64
  /// The bytes of the whole file; nil while they are not known.
  public var size: Int64?
  /// Bytes a second over the last seconds; nil at the beginning.
  public var rate: Double?

  /// Makes a progress, in bytes and bytes a second.
  public init(moved: Int64, size: Int64? = nil, rate: Double? = nil) {
    self.moved = moved
    self.size = size
    self.rate = rate
  }

  /// Seconds until the end at this rate.
  public var timeLeft: Double? {
    guard let size, let rate, rate > 0 else { return nil }
    return Double(max(size - moved, 0)) / rate
  }

  /// 0…1.
  public var fraction: Double? { size.map { $0 > 0 ? min(Double(moved) / Double($0), 1) : 1 } }
}

/// The events in a queue while it runs.
public enum TransferEvent: Sendable, Hashable {
  /// The bytes of a transfer begin to go.
  case began(TransferID)
  /// Told at most ten times a second for each transfer.
  case progress(TransferID, TransferProgress)
  /// A request failed, and another one goes out after so many seconds.
  case retrying(TransferID, error: String, reason: String, seconds: Double)
  /// A transfer cannot go, for this reason.
  case waiting(TransferID, TransferHindrance)
  /// It is done, has failed, or was cancelled.
  case finished(TransferRecord)
}
