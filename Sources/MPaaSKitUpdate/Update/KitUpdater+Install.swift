import MPaaSDeltas
import MPaaSDigests
import MPaaSSupport
import MPaaSToolSupport

/// A kit's tar that came, whole or as a difference.
struct KitArrival {
  let tar: Bytes
  let file: KitRelease.File
  let isDelta: Bool
}

extension KitUpdater {
  /// Brings the tar of the offered kit: by a difference where one is smaller and works, else whole.
  func arrival(_ offer: inout KitOffer) throws(KitUpdateError) -> KitArrival {
    let installed = KitFolder.version(named: offer.current)
    let deltas = offer.kit.deltas.filter { $0.version == installed && $0.file.length < offer.kit.archive.length }
    if let delta = deltas.min(by: { $0.file.length < $1.file.length }) {
      do throws(KitUpdateError) {
        return KitArrival(tar: try patched(delta, &offer), file: delta.file, isDelta: true)
      } catch {
        note(.differenceFailed(error.diagnostic))
      }
    }
    let file = offer.kit.archive
    let tar = try unpacked(try fetch(file, &offer.channels), against: .empty, offer.kit.content, of: file)
    return KitArrival(tar: tar, file: file, isDelta: false)
  }

  private func patched(_ delta: KitRelease.Delta, _ offer: inout KitOffer) throws(KitUpdateError) -> Bytes {
    let folder = folder.version(offer.current)
    let reference = try changing { () throws(FileError) in
      try KitContent.reference(of: folder, size: delta.from.length)
    }
    // A file of the kit was changed: nothing can be made from it.
    guard let reference, reference.sha256.hexadecimal == delta.from.sha256 else {
      throw KitUpdateError(.archiveMismatch, ["file": folder])
    }
    let path = try fetch(delta.file, &offer.channels)
    return try unpacked(path, against: reference, offer.kit.content, of: delta.file)
  }

  private func fetch(_ file: KitRelease.File, _ channels: inout KitChannels) throws(KitUpdateError) -> String {
    let note = note
    return try channels.file(file) { note(.fetching(file.name, $0)) }
  }

  private func unpacked(
    _ path: String, against reference: Bytes, _ content: KitRelease.Content, of file: KitRelease.File
  ) throws(KitUpdateError) -> Bytes {
    let frame = try changing { () throws(FileError) in try Bytes.mapping(path) }
    guard let tar = ZstdFrame.content(of: frame, against: reference, size: content.length),
      tar.sha256.hexadecimal == content.sha256
    else { throw KitUpdateError(.archiveMismatch, ["file": file.name]) }
    return tar
  }

  /// Unpacks a kit beside the one in use, tries it, and gives it a name of its own.
  ///
  /// - Returns: The name, which nothing leads to yet.
  func install(_ tar: Bytes, of release: KitRelease) throws(KitUpdateError) -> String {
    let staging = folder.staging
    try KitUnpacking(folder: staging, files: effects.files).run(tar)
    try run(staging, as: release.version)
    let name = folder.freeName(for: release.version)
    try changing { () throws(FileError) in
      try effects.files.settle()
      try effects.files.rename(staging, folder.version(name))
    }
    return name
  }

  /// Runs a kit's program.
  ///
  /// - Throws: `KitUpdateError` `kit-does-not-run` where it does not say that it is that version.
  func run(_ kit: String, as version: String) throws(KitUpdateError) {
    let outcome = try? effects.processes.run(.init(kit + "/bin/mpaas", ["--version"], capturesOutput: true))
    let line = outcome?.output.split(separator: "\n").first
    guard outcome?.status == 0, line?.split(separator: " ").last.map(String.init) == version else {
      throw KitUpdateError(.doesNotRun, ["version": version, "path": kit])
    }
  }
}
