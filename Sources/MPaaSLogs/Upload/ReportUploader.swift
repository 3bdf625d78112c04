package import MPaaSProtocol
package import MPaaSSupport
import MPaaSTransfer

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Brings crash reports to a server, and remembers which ones it has stored.
package struct ReportUploader: Sendable {
  package let server: LogServer
  /// A line for each report that a server has: its URL and the report's SHA-256; nil remembers nothing.
  private let memory: String?

  /// Bytes of a report.
  package static let limit = 256 << 20

  package init(to server: LogServer, memory: String?) {
    self.server = server
    self.memory = memory
  }

  /// Sends a report; when it returns, the server has stored it.
  package func upload(_ bytes: Bytes) async throws(LogError) -> Receipt {
    let reply = try await server.ask(
      "POST", ServerPaths.crashes, body: bytes.array, type: "application/octet-stream")
    guard let receipt = Receipt(json: reply.body) else {
      throw LogError(.answerMalformed, ["url": server.url + ServerPaths.crashes, "reason": reply.reason])
    }
    if let sum = receipt.sha256, sum != FileDigest.sha256(bytes) {
      throw LogError(.storedDiffers, ["url": server.url, "stored": sum])
    }
    try remember(bytes)
    return receipt
  }

  /// Whether the server is known to have a report.
  package func knows(_ bytes: Bytes) -> Bool {
    guard let memory, let lines = try? Bytes.reading(memory) else { return false }
    return String(decoding: lines.buffer, as: UTF8.self).split(separator: "\n").contains { $0 == line(bytes) }
  }

  private func remember(_ bytes: Bytes) throws(LogError) {
    guard let memory, !knows(bytes) else { return }
    do throws(FileError) {
      try Directories.create(FileSystem.folder(of: memory))
      let file = try MonitorFile(appending: memory)
      try file.append(Array((line(bytes) + "\n").utf8))
      try file.settle()
    } catch {
      throw LogError(error)
    }
  }

  private func line(_ bytes: Bytes) -> String { server.url + " " + FileDigest.sha256(bytes) }
}

extension Receipt {
  init?(json: [UInt8]) {
    guard let receipt = try? JSONDecoder().decode(Receipt.self, from: Data(json)) else { return nil }
    self = receipt
  }
}

extension ReportUploader {
  /// The same with its error as a value.
  package func outcome(_ bytes: Bytes) async -> Result<Receipt, LogError> {
    do throws(LogError) {
      return .success(try await upload(bytes))
    } catch {
      return .failure(error)
    }
  }
}
