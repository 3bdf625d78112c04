import MPaaSPush
import MPaaSPushServing
package import MPaaSSupport
package import MPaaSTerminal
import MPaaSToolSupport
package import PushServingKit
package import ServingKit

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension PushDoubleServing: PerformedWork {
  package func perform(in context: Context, results: ResultSink) async throws -> ExitStatus {
    let bytes = try Bytes.reading(configuration, limit: 64 << 20)
    let now = context.now
    let file = try log.map { try RecordFile($0) }
    let known = try known(bytes)
    let double = try await PushDouble.listen(
      on: listen, known, now: { now().timeIntervalSince1970 }
    ) { [terminal = context.terminal] record in
      terminal.note(request: record.method, record.path, record.status)
      file?.append(record)
    }
    let place = try AuthorityPlace(authority, in: context.directories)
    defer { place.remove() }
    try Bytes(Array(double.authority.utf8)).write(to: place.file)
    // Before anybody can know that it is ready to be ended.
    let end = EndRequest()
    try results.put(ServedPushDouble(url: double.url, ca: place.file))
    end.wait()
    await double.close()
    return .done
  }

  private func known(_ bytes: Bytes) throws(PushError) -> DoubleConfiguration {
    do throws(PushError) {
      return try DoubleConfiguration(bytes.buffer) { path in
        (try? Bytes.reading(path, limit: 64 << 10)).map { String(decoding: $0.buffer, as: UTF8.self) } ?? path
      }
    } catch {
      throw error.inFile(configuration)
    }
  }
}

/// The announcement of `mpaas push double` when it is ready.
struct ServedPushDouble: Presentable {
  let url: String
  /// The file of the authority that its certificate is to be held against.
  let ca: String

  func document(_ catalogue: Catalogue) -> Document {
    [.line(StyledText(catalogue.text("text.push-double", ["url": url, "file": ca])))]
  }
}
