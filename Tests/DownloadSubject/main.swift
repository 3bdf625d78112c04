import Foundation
import MPaaSModules
import MPaaSSupport
import MPaaSTransfer

/// A program that a test kills, and what scripts/bench/downloads times: brings files, says how long it took, and ends.
///
/// `DownloadSubject cache FOLDER < LINES` brings archives into a cache; `DownloadSubject files FOLDER < LINES` brings
/// them with the sizes checked only, under their names. A line is `SHA256 SIZE URL [URL …]`. `MPAAS_TEST_CERTIFICATES`
/// names a file of certificates to trust.
let arguments = CommandLine.arguments
let certificates = ProcessInfo.processInfo.environment["MPAAS_TEST_CERTIFICATES"]
var blobs: [ModuleBlob] = []
while let line = readLine() {
  let words = line.split(separator: " ").map(String.init)
  guard words.count >= 3, let size = UInt64(words[1]) else { continue }
  let urls = Array(words.dropFirst(2))
  blobs.append(
    ModuleBlob(sha256: words[0], size: size, urls: urls, name: String(urls[0].split(separator: "/").last ?? "")))
}

let downloads = ParallelDownloads.archives(userAgent: "mpaas-subject/1", certificates: certificates)
let start = ContinuousClock.now
if arguments[1] == "cache" {
  do {
    _ = try await ArchiveCache(folder: arguments[2], downloads: downloads).fetch(blobs)
  } catch {
    print("\(error.code.id) \(error.values)")
    exit(error.code.exit.rawValue)
  }
} else {
  let jobs = blobs.map { DownloadJob($0.urls, to: "\(arguments[2])/\($0.name)", size: $0.size) }
  for case .failure(let error) in await downloads.run(jobs) {
    print("\(error)")
    exit(1)
  }
}
let elapsed = (ContinuousClock.now - start).components
print(Double(elapsed.seconds) + Double(elapsed.attoseconds) / 1e18)
