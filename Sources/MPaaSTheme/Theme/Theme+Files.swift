import MPaaSConfig
import MPaaSSupport

extension Theme {
  /// The most bytes that the file of a theme may have.
  private static let largest = 1 << 26

  /// Reads a theme's folder, or its file.
  ///
  /// - Throws: `theme-missing` where there is no such file, `theme-unreadable` where it cannot be read.
  public init(path: String, device: ThemeDevice = .unknown, base: Theme? = nil) throws(ThemeError) {
    let (file, folder) = try Self.locate(path)
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try Bytes.reading(file, limit: Self.largest).array
    } catch {
      throw ThemeError(.unreadable, ["file": file], at: .file(file))
    }
    try self.init(bytes, file: file, folder: folder, device: device, base: base)
  }

  /// The file and the folder of a theme that somebody named.
  private static func locate(_ path: String) throws(ThemeError) -> (file: String, folder: String) {
    switch FileStatus(path)?.kind {
    case .folder:
      let folder = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
      let file = folder + "/" + fileName
      guard FileStatus(file) != nil else { throw ThemeError(.missing, ["file": file], at: .file(path)) }
      return (file, folder)
    case nil: throw ThemeError(.missing, ["file": path], at: .file(path))
    default: return (path, FileSystem.folder(of: path))
    }
  }

  /// The theme that another one inherits from when none is named: the old kit's default ones, beside it or around it.
  package static func standardBase(of folder: String) -> String? {
    let around = FileSystem.folder(of: folder)
    let names = ["UIDefaultTheme.bundle", "APCommonUI.bundle", "APCommonUI.bundle/UIDefaultTheme.bundle"]
    return names.lazy.map { around + "/" + $0 }.first {
      FileStatus($0 + "/" + fileName)?.kind == .file && FileSystem.resolved($0) != FileSystem.resolved(folder)
    }
  }
}
