package import MPaaSModules
import MPaaSSupport

/// An archive of a module that is to be given out, with the findings about it.
package struct CheckedModule: Sendable {
  package let file: String
  package internal(set) var check: ModuleArchiveCheck
  /// True if the registry does not have it yet.
  package internal(set) var isNew = true

  init(file: String, check: ModuleArchiveCheck) {
    self.file = file
    self.check = check
  }

  /// Checks an archive by itself.
  ///
  /// - Returns: nil where the file is no archive of a module.
  /// - Throws: `ModuleError` of the file and as `ModuleArchiveCheck`.
  package init?(archive file: String) throws(ModuleError) {
    let bytes = try ModuleError.wrapping { () throws(FileError) in try Bytes.mapping(file) }
    guard ModuleArchiveCheck.matches(bytes) else { return nil }
    self.init(file: file, check: try ModuleArchiveCheck(bytes, name: file))
  }

  /// True if the findings forbid it to be given out.
  package func isRefused(_ isStrict: Bool) -> Bool { isStrict ? !check.findings.isEmpty : check.hasErrors }

  /// Makes the archives of folders; those that are refused are not put into `output`.
  ///
  /// - Parameter isStrict: Whether warnings refuse an archive too.
  /// - Throws: `ModuleError` as `ModuleArchive.pack` and `ModuleArchiveCheck`.
  package static func packing(
    _ folders: [String], into output: String, format: ModuleArchive.Format, isStrict: Bool
  ) throws(ModuleError) -> [CheckedModule] {
    try ModuleError.wrapping { () throws(FileError) in try Directories.create(output) }
    var modules: [CheckedModule] = []
    for folder in folders {
      let target = output + "/" + ModuleArchive.name(try ModuleArchive.manifest(in: folder), format)
      var found: CheckedModule?
      try ModuleArchive.pack(folder: folder, to: target, format: format) { bytes throws(ModuleError) in
        let module = CheckedModule(file: target, check: try ModuleArchiveCheck(bytes, name: target))
        found = module
        return !module.isRefused(isStrict)
      }
      if let found { modules.append(found) }
    }
    return modules
  }
}
