/// A module that an app asks for; in JSON a requirement by itself, `"^1.2"`, or an object.
package struct AskedModule: Codable, Sendable, Equatable {
  /// The versions that will do, as `mpaas.toml` says it.
  package var version: String
  /// The registry to take it from; nil for the first that has it.
  package var registry: String?
  /// Its optional modules that are wanted.
  package var with: [String]?

  package init(version: String, registry: String? = nil, with: [String]? = nil) {
    (self.version, self.registry, self.with) = (version, registry, with)
  }

  private enum CodingKeys: String, CodingKey { case version, registry, with }

  package init(from decoder: any Decoder) throws {
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      self.init(version: text)
      return
    }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      version: try container.decodeIfPresent(String.self, forKey: .version) ?? "*",
      registry: try container.decodeIfPresent(String.self, forKey: .registry),
      with: try container.decodeIfPresent([String].self, forKey: .with))
  }
}

/// A choice of modules for an app, as somebody wishes it.
package struct ModuleWish: Codable, Sendable, Equatable {
  /// The system that the app is for, `ios`; nil for any.
  package var platform: String?
  /// The lowest version of that system.
  package var minimum: String?
  /// By the names of modules.
  package var modules: [String: AskedModule]
  /// Tells whether all go to the newest versions that fit, whatever was chosen before.
  package var update: Bool?
  /// The version of the choice that it was made from; nil where any will do.
  package var version: Int64?

  package init(
    platform: String? = nil, minimum: String? = nil, modules: [String: AskedModule], update: Bool? = nil,
    version: Int64? = nil
  ) {
    (self.platform, self.minimum, self.modules) = (platform, minimum, modules)
    (self.update, self.version) = (update, version)
  }
}

/// The modules that an app has chosen.
package struct ModuleChoiceEntry: Codable, Sendable, Equatable {
  /// A module in the version that was found for it.
  package struct Chosen: Codable, Sendable, Equatable {
    package var name: String
    package var version: String
    package var registry: String
    package var sha256: String
    /// Bytes of the archive.
    package var size: UInt64
    /// The ways from what was asked for to it: `Payment ^2 → Network ^3`.
    package var reasons: [String]

    package init(name: String, version: String, registry: String, sha256: String, size: UInt64, reasons: [String]) {
      (self.name, self.version, self.registry) = (name, version, registry)
      (self.sha256, self.size, self.reasons) = (sha256, size, reasons)
    }
  }

  /// The key of the app.
  package var app: String
  /// Grows with each change; 0 where nothing was chosen yet.
  package var version: Int64
  package var author: String
  /// Seconds since 1970.
  package var changed: Double
  package var platform: String?
  package var minimum: String?
  package var modules: [String: AskedModule]
  /// Sorted by name; what the modules need is among them.
  package var chosen: [Chosen]
  /// The reason why they cannot be downloaded now; nil where they can.
  package var problem: ServerRefusal?

  package init(
    app: String, version: Int64, author: String, changed: Double, platform: String?, minimum: String?,
    modules: [String: AskedModule], chosen: [Chosen], problem: ServerRefusal?
  ) {
    (self.app, self.version, self.author, self.changed) = (app, version, author, changed)
    (self.platform, self.minimum, self.modules) = (platform, minimum, modules)
    (self.chosen, self.problem) = (chosen, problem)
  }
}

/// The modules that the registries of a server offer.
package struct ModuleOffer: Codable, Sendable, Equatable {
  /// A registry that was verified.
  package struct Registry: Codable, Sendable, Equatable {
    package var name: String
    /// Empty for one in a folder of the server's machine.
    package var url: String
    /// The SHA-256 of the root that the server trusts it by, in hexadecimal.
    package var root: String
    package var modules: Int
    /// The end of what is trusted now, in seconds since 1970.
    package var expires: Double

    package init(name: String, url: String, root: String, modules: Int, expires: Double) {
      (self.name, self.url, self.root, self.modules, self.expires) = (name, url, root, modules, expires)
    }
  }

  package struct Module: Codable, Sendable, Equatable {
    package var name: String
    package var registry: String
    /// The role of the registry whose keys signed its index.
    package var role: String
    /// A sentence on it, by the language: `en`, `zh-Hans`.
    package var summary: [String: String]
    package var license: String?
    /// The newest first.
    package var versions: [Version]

    package init(
      name: String, registry: String, role: String, summary: [String: String], license: String?, versions: [Version]
    ) {
      (self.name, self.registry, self.role) = (name, registry, role)
      (self.summary, self.license, self.versions) = (summary, license, versions)
    }
  }

  package struct Version: Codable, Sendable, Equatable {
    package var version: String
    /// Seconds since 1970.
    package var released: Int64
    /// Bytes of the archive.
    package var size: UInt64
    package var sha256: String
    /// The lowest version of each system that it runs on; empty for all systems.
    package var platforms: [String: String]
    /// The modules that it needs, with the versions that will do.
    package var needs: [String: String]
    /// The modules among them that are brought where they are asked for.
    package var optional: [String]
    /// The reason against using it; nil where nothing is wrong.
    package var withdrawn: String?

    package init(
      version: String, released: Int64, size: UInt64, sha256: String, platforms: [String: String],
      needs: [String: String], optional: [String], withdrawn: String?
    ) {
      (self.version, self.released, self.size, self.sha256) = (version, released, size, sha256)
      (self.platforms, self.needs, self.optional, self.withdrawn) = (platforms, needs, optional, withdrawn)
    }
  }

  package var registries: [Registry]
  package var modules: [Module]
  /// The name after which the next page begins; nil at the end.
  package var next: String?

  package init(registries: [Registry], modules: [Module], next: String?) {
    (self.registries, self.modules, self.next) = (registries, modules, next)
  }
}
