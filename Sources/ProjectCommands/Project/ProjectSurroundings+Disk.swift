import MPaaSProject
import MPaaSSupport

extension ProjectSurroundings {
  /// The files around a project on disk.
  ///
  /// - Parameter file: The `project.pbxproj`; outside of an `.xcodeproj` the place of its files is unknown.
  init(file: String) {
    let bundle = FileSystem.folder(of: file)
    let isBundle = bundle.hasSuffix(".xcodeproj")
    let folder = isBundle ? FileSystem.folder(of: bundle) : bundle
    @Sendable func full(_ path: String) -> String { path.hasPrefix("/") ? path : folder + "/" + path }
    self.init(
      bundle: FileSystem.name(of: isBundle ? bundle : file),
      products: { PackageManifest.products(in: full($0)) },
      read: { (path) throws(ProjectEditError) in
        guard let status = FileStatus(full(path)), status.kind == .file else { return nil }
        do throws(FileError) {
          return try Bytes.reading(full(path), limit: 1 << 28).array
        } catch {
          throw ProjectEditError(error)
        }
      },
      names: { (try? FileSystem.names(in: full($0))) ?? [] })
    isComplete = isBundle
  }
}
