import MPaaSProtocol
import MPaaSSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The folder of a feedback service: `outbox/ID` with `report.json` and pictures, `sent/ID.json`, `replies`, `secret`.
///
/// A folder in the outbox gets its name when all of it is on the disk, and is removed when its report stands under
/// `sent`. So a process may end at any moment.
struct FeedbackFolder: Sendable {
  let path: String

  private var outbox: String { path + "/outbox" }
  private var sent: String { path + "/sent" }
  var queue: String { path + "/transfers.sqlite" }
  /// The most bytes of a file of the service's own.
  private static let largest = 4 << 20
  private static let unfinished = ".new-"

  /// Makes the folders, and removes what an earlier process did not finish.
  init(_ path: String) throws(AppServiceError) {
    self.path = path
    do throws(FileError) {
      for folder in [path, outbox, sent] { try PrivateFolder.create(folder) }
      for name in try FileSystem.names(in: outbox) where name.hasPrefix(Self.unfinished) {
        FileSystem.removeTree(outbox + "/" + name)
      }
    } catch { throw AppServiceError(error) }
  }

  // MARK: - What waits

  /// Keeps feedback with its pictures: all of it, or where this throws nothing.
  func keep(_ report: FeedbackReport, _ pictures: [FeedbackImage]) throws(AppServiceError) {
    let folder = outbox + "/" + Self.unfinished + report.id
    do throws(FileError) {
      try PrivateFolder.create(folder)
      for (index, picture) in pictures.enumerated() {
        try Bytes(picture.bytes).write(to: "\(folder)/\(report.pictures[index].name)", mode: 0o600)
      }
      try Bytes(Self.json(report)).write(to: folder + "/report.json", mode: 0o600)
      FileSystem.settle(folder)
      try FileSystem.rename(folder, to: waiting(report.id))
      FileSystem.settle(outbox)
    } catch {
      FileSystem.removeTree(folder)
      throw AppServiceError(error)
    }
  }

  /// The IDs of feedback that waits.
  var waitingIDs: [String] {
    ((try? FileSystem.names(in: outbox)) ?? []).filter { !$0.hasPrefix(Self.unfinished) }
  }

  /// The IDs of feedback that waits in the order in which it was given; those of damaged files come first.
  var oldestFirst: [String] {
    waitingIDs.map { (created: report($0)?.created ?? 0, id: $0) }.sorted { $0 < $1 }.map(\.id)
  }

  /// Feedback that waits; nil where there is none with the ID, or its file is damaged.
  func report(_ id: String) -> FeedbackReport? { Self.isID(id) ? value(waiting(id) + "/report.json") : nil }

  /// Tells whether a word that came from elsewhere can be an ID, and leads to no other file.
  private static func isID(_ word: String) -> Bool {
    !word.isEmpty && word.utf8.allSatisfy { PercentEncoding.isAlphanumeric($0) || $0 == 0x2d }
  }

  func picture(_ id: String, _ name: String) -> String { waiting(id) + "/" + name }

  /// A mark of feedback that waits: that the server has its words, or why it refused them.
  func mark(_ id: String, _ mark: Mark) -> String? {
    let bytes = try? Bytes.reading("\(waiting(id))/\(mark.rawValue)", limit: Self.largest)
    return bytes.map { String(decoding: $0.buffer, as: UTF8.self) }
  }

  enum Mark: String { case posted, refused }

  func set(_ mark: Mark, _ text: String, on id: String) throws(AppServiceError) {
    try write(Array(text.utf8), to: "\(waiting(id))/\(mark.rawValue)")
  }

  func unset(_ mark: Mark, on id: String) throws(AppServiceError) {
    guard Self.isID(id) else { return }
    do throws(FileError) { try FileSystem.remove("\(waiting(id))/\(mark.rawValue)") } catch {
      throw AppServiceError(error)
    }
  }

  /// Removes feedback that waits.
  func discard(_ id: String) {
    // First out of its place, so that no part of it is ever taken for the whole.
    let gone = outbox + "/" + Self.unfinished + id
    try? FileSystem.rename(waiting(id), to: gone)
    FileSystem.removeTree(gone)
    FileSystem.settle(outbox)
  }

  // MARK: - What was sent

  var sentIDs: [String] {
    ((try? FileSystem.names(in: sent)) ?? []).filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }
  }

  func conversation(_ id: String) -> SentFeedback? { Self.isID(id) ? value(sentFile(id)) : nil }

  func keep(_ conversation: SentFeedback) throws(AppServiceError) {
    try write(Self.json(conversation), to: sentFile(conversation.report.id))
    FileSystem.settle(sent)
  }

  func forget(_ id: String) { try? FileSystem.remove(sentFile(id)) }

  // MARK: - Replies

  /// The number of the last reply that was asked for.
  var lastReply: Int64 {
    guard let bytes = try? Bytes.reading(path + "/replies", limit: 100) else { return 0 }
    return Int64(bytes.text) ?? 0
  }

  func setLastReply(_ number: Int64) throws(AppServiceError) {
    try write(Array(String(number).utf8), to: path + "/replies")
  }

  /// The device's secret, made where there is none.
  func secret() throws(AppServiceError) -> String {
    let file = path + "/secret"
    if let bytes = try? Bytes.reading(file, limit: 200), bytes.count >= 32 {
      return bytes.text
    }
    var random = SystemRandomNumberGenerator()
    let secret = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) }.hexadecimal
    try write(Array(secret.utf8), to: file)
    FileSystem.settle(path)
    return secret
  }

  // MARK: - Files

  private func waiting(_ id: String) -> String { outbox + "/" + id }
  private func sentFile(_ id: String) -> String { sent + "/" + id + ".json" }

  private func value<Value: Decodable>(_ path: String) -> Value? {
    guard let bytes = try? Bytes.reading(path, limit: Self.largest) else { return nil }
    return try? JSONDecoder().decode(Value.self, from: Data(bytes.array))
  }

  private static func json(_ value: some Encodable) -> [UInt8] {
    // Values of ours have neither infinities nor cycles, the only things that are no JSON.
    (try? JSONEncoder().encode(value)).map { Array($0) } ?? []
  }

  private func write(_ bytes: [UInt8], to file: String) throws(AppServiceError) {
    do throws(FileError) { try Bytes(bytes).write(to: file, mode: 0o600) } catch { throw AppServiceError(error) }
  }
}

/// Feedback that the server has, and the replies to it, as a file keeps them.
struct SentFeedback: Codable, Sendable {
  var report: FeedbackReport
  var messages: [FeedbackMessage] = []
  var readUpTo: Int64 = 0
  /// Seconds since 1970: the last change.
  var updated: Double

  var conversation: FeedbackConversation {
    var conversation = FeedbackConversation(report, .open)
    for message in messages { _ = conversation.take(message) }
    conversation.readUpTo = readUpTo
    return conversation
  }
}
