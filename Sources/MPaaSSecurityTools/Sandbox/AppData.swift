import MPaaSSupport
package import MPaaSToolSupport

/// The place of an app's data: on a simulator, on a device, or in the home of a user of Linux.
package struct AppData: Sendable, Equatable {
  package enum Place: String, Sendable, CaseIterable {
    /// The folder of data of a program of Linux: `$XDG_DATA_HOME/APP`, or a Flatpak's.
    case xdg
    /// A simulator of Xcode's.
    case simulator
    /// A device at the end of a cable, by libimobiledevice and ifuse.
    case device
  }

  /// The bundle identifier, or the program's name.
  package let app: String
  package let place: Place
  /// The folder with the data.
  package let folder: String
  /// Tells whether the folder is a device's, mounted for this call.
  package let isMounted: Bool
}

/// Finds the data of apps; programs and environment come in as values.
package struct AppDataSearch: Sendable {
  package var environment: [String: String]
  package var processes: ProcessRunner
  /// The UDID of the simulator or device; nil for the booted one, or the first that is connected.
  package var udid: String?

  package init(environment: [String: String], processes: ProcessRunner = .live, udid: String? = nil) {
    self.environment = environment
    self.processes = processes
    self.udid = udid
  }

  /// Finds the data of an app.
  ///
  /// - Parameter place: Where to look; nil for all that this machine has, simulators first.
  /// - Throws: `SecurityError`: `sandbox-app-missing`, `sandbox-no-device`, `sandbox-device-failed`, `sandbox-outside`.
  package func find(_ app: String, at place: AppData.Place? = nil) throws(SecurityError) -> AppData {
    guard !app.isEmpty, !app.contains("/"), app != ".", app != ".." else {
      throw SecurityError(.outside, ["path": app, "app": app])
    }
    switch place {
    case .xdg: return try local(app).orThrow(SecurityError(.appMissing, ["app": app, "folders": folders(app)]))
    case .simulator: return try simulator(app)
    case .device: return try device(app)
    case nil: break
    }
    #if os(macOS)
      do { return try simulator(app) } catch {
        guard error.code == .noDevice else { throw error }
        return try device(app)
      }
    #else
      if let found = local(app) { return found }
      do { return try device(app) } catch {
        guard error.code == .noDevice else { throw error }
        throw SecurityError(.appMissing, ["app": app, "folders": folders(app)])
      }
    #endif
  }

  /// The folders that a program's data may lie in.
  private func candidates(_ app: String) -> [String] {
    let base = BaseFolders(environment: environment)
    return [base.data.map { "\($0)/\(app)" }, base.home.map { "\($0)/.var/app/\(app)" }].compactMap { $0 }
  }

  private func folders(_ app: String) -> String { candidates(app).joined(separator: ", ") }

  private func local(_ app: String) -> AppData? {
    candidates(app).first { FileStatus($0)?.kind == .folder }
      .map { AppData(app: app, place: .xdg, folder: $0, isMounted: false) }
  }

  private func simulator(_ app: String) throws(SecurityError) -> AppData {
    let words = ["simctl", "get_app_container", udid ?? "booted", app, "data"]
    guard let outcome = try? processes.run(.init("xcrun", words, capturesOutput: true)), outcome.status != 127 else {
      throw SecurityError(.noDevice, ["program": "xcrun simctl"])
    }
    let folder = outcome.output.split(separator: "\n").first.map(String.init) ?? ""
    guard outcome.status == 0, folder.hasPrefix("/") else {
      throw SecurityError(.appMissing, ["app": app, "folders": "xcrun " + words.joined(separator: " ")])
    }
    return AppData(app: app, place: .simulator, folder: folder, isMounted: false)
  }

  private func device(_ app: String) throws(SecurityError) -> AppData {
    guard let list = try? processes.run(.init("idevice_id", ["-l"], capturesOutput: true)), list.status == 0,
      let first = list.output.split(separator: "\n").first
    else { throw SecurityError(.noDevice, ["program": "idevice_id"]) }
    let device = udid ?? String(first)
    let base = environment["TMPDIR"] ?? "/tmp"
    guard let folder = try? FileSystem.makeFolder(unique: base + "/mpaas-sandbox", called: base) else {
      throw SecurityError(.deviceFailed, ["program": "ifuse", "reason": base])
    }
    let words = ["--udid", device, "--container", app, folder]
    guard let outcome = try? processes.run(.init("ifuse", words, capturesOutput: true)), outcome.status == 0 else {
      _ = FileSystem.removeIfEmpty(folder)
      throw SecurityError(.deviceFailed, ["program": "ifuse", "reason": words.joined(separator: " ")])
    }
    return AppData(app: app, place: .device, folder: folder, isMounted: true)
  }

  /// Lets go of a device's data; others stay as they are.
  package func release(_ data: AppData) {
    guard data.isMounted else { return }
    #if os(macOS)
      let (program, words) = ("umount", [data.folder])
    #else
      let (program, words) = ("fusermount", ["-u", data.folder])
    #endif
    _ = try? processes.run(.init(program, words, capturesOutput: true))
    _ = FileSystem.removeIfEmpty(data.folder)
  }
}

extension Optional {
  fileprivate func orThrow(_ error: SecurityError) throws(SecurityError) -> Wrapped {
    guard let self else { throw error }
    return self
  }
}
