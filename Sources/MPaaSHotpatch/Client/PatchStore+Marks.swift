import MPaaSSupport
import MPaaSVerification

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The mark of a bundle that was put aside: `DIGEST-TIMES-SECONDS`, the last one since 1970.
struct AsideMark: Hashable {
  var sha256: String
  var times: Int
  var until: Date

  /// A mark by its file's name; nil where that is none.
  init?(_ name: String) {
    let parts = name.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, let times = Int(parts[1]), (1...Int(Int32.max)).contains(times),
      let seconds = Int64(parts[2]), PatchStore.isDigest(parts[0])
    else { return nil }
    (sha256, self.times, until) = (String(parts[0]), times, Date(timeIntervalSince1970: Double(seconds)))
  }

  init?(_ installed: ClientState.Installed) {
    guard let until = installed.aside?.until else { return nil }
    (sha256, times, self.until) = (installed.sha256, installed.timesAside, until)
  }

  var name: String { "\(sha256)-\(times)-\(Int64(until.timeIntervalSince1970))" }
}

extension ClientState {
  /// The marks of what is put aside.
  var asides: Set<AsideMark> { Set(kept.compactMap(AsideMark.init)) }
}

extension PatchStore {
  static func isDigest(_ text: some StringProtocol) -> Bool {
    text.utf8.count == 64 && Data(hexadecimal: String(text)) != nil
  }

  func names(in folder: String) -> Set<String> { Set((try? FileSystem.names(in: folder)) ?? []) }

  /// Adds what is marked as known-bad and not in the state.
  func withMarks(_ state: ClientState) -> ClientState {
    var state = state
    let known = Set(state.knownBad.map(\.sha256))
    for digest in names(in: badMarks).filter(Self.isDigest).subtracting(known).sorted() {
      guard let version = DottedVersion("0") else { continue }
      // Its former name does not matter.
      state.knownBad.append(
        .init(patch: "", version: version, sha256: digest, time: Date(timeIntervalSince1970: 0)))
      for installed in state.kept where installed.sha256 == digest { state.fallBack(installed) }
    }
    return state
  }

  /// Marks what is known-bad or put aside, and takes the marks of what is forgotten away.
  func mark(_ state: ClientState) throws(TrustError) {
    try mark(Set(state.knownBad.map(\.sha256)), in: badMarks) { Self.isDigest($0) }
    try mark(Set(state.asides.map(\.name)), in: asideMarks) { AsideMark($0) != nil }
  }

  private func mark(
    _ wanted: Set<String>, in folder: String, isMark: (String) -> Bool
  ) throws(TrustError) {
    let present = names(in: folder).filter(isMark)
    guard wanted != present else { return }
    do throws(FileError) {
      for name in wanted.subtracting(present).sorted() {
        try Bytes.empty.write(to: folder + "/" + name, mode: 0o600)
      }
      for name in present.subtracting(wanted) { try FileSystem.remove(folder + "/" + name) }
    } catch {
      throw TrustError(error)
    }
    FileSystem.settle(folder)
  }
}
