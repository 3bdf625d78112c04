import CrashReporter
import Dispatch
import Foundation
import MPaaSPerformance

/// Hangs until it is killed, and says when a record is there.
final class Forever: Sendable {
  private let kind: HangKind
  private let folder: String

  init(kind: String, folder: String) {
    self.kind = HangKind(rawValue: kind) ?? .busy
    self.folder = folder
  }

  func begin() {
    do {
      try CrashReporter.install(.init(directory: folder, version: "1.0"))
    } catch {
      tell(error)
      exit(1)
    }
    beginHang()
  }

  func beginHang() {
    do {
      try HangMonitor(directory: folder).start()
    } catch {
      tell(error)
      exit(1)
    }
    let (folder, kind) = (folder, kind)
    Thread.detachNewThread {
      while true {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        if let name = names.first(where: { $0.hasPrefix("hang-") && $0.hasSuffix("-\(getpid()).part") }) {
          // Once a sample has been added to what was written at first, all of that is there.
          let size = (try? FileManager.default.attributesOfItem(atPath: folder + "/" + name))?[.size] as? Int
          if let size, size > 0 { tell("severe") }
        }
        usleep(10_000)
      }
    }
    DispatchQueue.main.asyncAfter(deadline: .now() + 0.2) {
      MainActor.assumeIsolated { kind.hang(3_600_000_000_000) { _ in } }
    }
  }
}
