import MPaaSSupport
import Synchronization

/// Finds the split unit of a skeleton: in the package file, else in the `.dwo` file that the skeleton names.
final class SplitLoader: Sendable {
  private let companions: DebugCompanions
  private let alternate: DWARFFile?

  private struct PackageFile: Sendable {
    let sections: DWARFSections
    let index: PackageIndex
  }

  private let packages: Mutex<[PackageFile]?> = Mutex(nil)
  /// The `.dwo` files that were opened, by directory and name: one may hold the units of many skeletons.
  private let files = Mutex<[[String]: DWARFFile?]>([:])
  private let linked: DWARFSections

  /// - Parameter linked: The sections of the file with the skeletons, which may hold the package too.
  init(_ linked: DWARFSections, companions: DebugCompanions, alternate: DWARFFile?) {
    self.linked = linked
    self.companions = companions
    self.alternate = alternate
  }

  /// The split unit whose ID is the skeleton's; nil where no file has it, or a file of another build lies there.
  func unit(of skeleton: DWARFUnit) -> SplitUnit? {
    guard let id = skeleton.splitID else { return nil }
    for package in openPackages() {
      guard let contribution = package.index[id] else { continue }
      let file = DWARFFile(package.sections, suffix: ".dwo", contribution: contribution, alternate: alternate)
      if let unit = find(id, in: file, skeleton) { return unit }
    }
    guard let name = skeleton.text(skeleton.root.splitName) else { return nil }
    let directory = skeleton.compilationDirectory.map { String(utf8: $0) }
    return openFile(String(utf8: name), directory).flatMap { find(id, in: $0, skeleton) }
  }

  private func openFile(_ name: String, _ directory: String?) -> DWARFFile? {
    let key = [directory ?? "", name]
    if let known = files.withLock({ $0[key] }) { return known }
    let file = companions.split(name, directory).map {
      DWARFFile($0, suffix: ".dwo", contribution: nil, alternate: alternate)
    }
    files.withLock { $0[key] = .some(file) }
    return file
  }

  private func find(_ id: UInt64, in file: DWARFFile, _ skeleton: DWARFUnit) -> SplitUnit? {
    for (index, header) in file.headers.enumerated() {
      guard let unit = DWARFUnit(file, header, index: index, skeleton: skeleton) else { continue }
      if unit.splitID == id { return SplitUnit(unit: unit, file: file) }
    }
    return nil
  }

  private func openPackages() -> [PackageFile] {
    packages.withLock { packages in
      if let packages { return packages }
      let found = [linked, companions.package()].compactMap { sections -> PackageFile? in
        guard let sections, let bytes = sections.section("debug_cu_index"),
          let index = PackageIndex(bytes, bigEndian: sections.bigEndian)
        else { return nil }
        return PackageFile(sections: sections, index: index)
      }
      packages = found
      return found
    }
  }
}
