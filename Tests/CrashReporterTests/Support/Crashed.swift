import Foundation
import MPaaSCrash
import MPaaSCrashReport
import MPaaSSupport
import MPaaSSymbols
import MPaaSTestSupport
import Testing

/// A run of the program CrashMatrix, and what it left.
struct Crashed {
  let folder: TemporaryFolder
  let outcome: Command.Outcome

  /// Runs a case with the reporter installed.
  ///
  /// - Parameter swiftBacktrace: Whether Swift's own backtracer is there to be chained to.
  init(
    _ name: String, build: MatrixBuild = .asBuilt, options: [String] = [], swiftBacktrace: Bool = false,
    in folder: TemporaryFolder? = nil
  ) throws {
    let folder = try folder ?? TemporaryFolder()
    self.folder = folder
    outcome = try Command.run(
      build.rawValue, [name, "--report-to", folder.path] + options,
      environment: ["SWIFT_BACKTRACE": "enable=\(swiftBacktrace ? "yes" : "no"),color=no"])
  }

  /// The names of the files in the folder.
  var files: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }

  /// The only record of the folder, read.
  func report() throws -> CrashReport {
    let names = try files
    let name = try #require(names.first)
    #expect(names.count == 1, "\(names)")
    #expect(name.hasSuffix(".raw"), "\(names)")
    return try RawRecord.read(folder.path + "/" + name)
  }
}

extension CrashReport {
  /// The report with names and lines, from the debug information of the files that it names.
  func symbolicated() -> CrashReport {
    ReportSymbolicator { image in
      guard let bytes = try? Bytes.mapping(image.path), let elf = try? ELFImage(bytes) else {
        return ImageSymbols(frames: nil, reason: .notFound)
      }
      let lookup = elf.lookup()
      return ImageSymbols(frames: { lookup.frames(at: $0) })
    } demangle: {
      Demangler().demangle($0)
    }.symbolicate(self).report
  }

  var crashedThread: Thread? {
    faultingThread.map { threads[$0] }
  }

  /// The innermost call of the crashed thread in a file of the crash matrix.
  var innermostOwnCall: Call? {
    crashedThread?.frames.lazy.flatMap(\.calls).first { $0.file?.contains("CrashMatrix") == true }
  }
}
