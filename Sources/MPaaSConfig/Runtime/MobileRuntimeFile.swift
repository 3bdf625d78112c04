package import MPaaSSupport

/// A `MobileRuntime.plist`, or BeeHive's file: the micro-apps, services and modules that an app is made of.
///
/// | key | what stands there |
/// | --- | --- |
/// | `Launcher` | the name of the micro-app that is started first |
/// | `Applications` | dictionaries of `name`, `delegate` (a class) and `description` |
/// | `Services` | dictionaries of `name`, `class`, `lazyLoading`, and of ours `protocol` and `singleton` |
/// | `Modules` | dictionaries of `class`, `level` and `priority` (ours) |
/// | `ServicesMap` | `[AUTOSTART]`: the names of services that are made when the app starts |
/// | `moduleClasses` | BeeHive's: `moduleClass`, `moduleLevel`, `modulePriority` |
/// | `services`, or an array at the top | BeeHive's: `service` (a protocol) and `impl` (a class) |
package struct MobileRuntimeFile: Sendable {
  /// A micro-app.
  package struct Application: Sendable, Equatable {
    package let name: String
    /// The class of its delegate: `DemoApp`, `Module.DemoApp`, or its Objective-C name.
    package let delegate: String
    /// The plist's `description`: what people call it.
    package let title: String?
    /// The place of its name; nil for one that was not read.
    package let place: Place?
    package let delegatePlace: Place?

    package init(
      name: String, delegate: String, title: String? = nil, place: Place? = nil, delegatePlace: Place? = nil
    ) {
      self.name = name
      self.delegate = delegate
      self.title = title
      self.place = place
      self.delegatePlace = delegatePlace
    }
  }

  /// A service.
  package struct Service: Sendable, Equatable {
    package let name: String
    package let className: String
    /// The protocol that it is found by besides its name.
    package let interface: String?
    /// Made when it is first asked for; otherwise when the framework starts.
    package let isLazy: Bool
    package let isSingleton: Bool
    package let place: Place?
    package let classPlace: Place?
    package let interfacePlace: Place?

    package init(
      name: String, className: String, interface: String? = nil, isLazy: Bool = true, isSingleton: Bool = true,
      place: Place? = nil, classPlace: Place? = nil, interfacePlace: Place? = nil
    ) {
      self.name = name
      self.className = className
      self.interface = interface
      self.isLazy = isLazy
      self.isSingleton = isSingleton
      self.place = place
      self.classPlace = classPlace
      self.interfacePlace = interfacePlace
    }
  }

  /// A module.
  package struct Module: Sendable, Equatable {
    package let className: String
    /// 0 is basic, 1 normal; nil where the file leaves it to the class.
    package let level: Int?
    /// Nil where the file leaves it to the class.
    package let priority: Int?
    package let place: Place?

    package init(className: String, level: Int? = nil, priority: Int? = nil, place: Place? = nil) {
      self.className = className
      self.level = level
      self.priority = priority
      self.place = place
    }
  }

  package let document: PropertyListDocument
  package let launcher: String?
  package let launcherPlace: Place?
  package let applications: [Application]
  package let services: [Service]
  package let modules: [Module]
  /// Keys that say nothing to the framework.
  package let unknownKeys: [UnknownKey]

  /// A key that the format does not know.
  package struct UnknownKey: Sendable, Equatable {
    package let key: String
    /// The known key that was probably meant.
    package let suggestion: String?
    package let place: Place
  }

  package var bytes: [UInt8] { document.bytes }

  /// - Throws: Those of `PropertyListDocument`; `runtime-type` and `runtime-member` of entries that are not as they
  ///   should be, with their places.
  package init(_ bytes: [UInt8], file: String) throws(ConfigError) {
    try self.init(PropertyListDocument(bytes, file: file))
  }

  package init(_ document: PropertyListDocument) throws(ConfigError) {
    var reader = MobileRuntimeReader(document)
    try reader.read()
    self.document = document
    launcher = reader.launcher?.string
    launcherPlace = reader.launcher.map { document.placeInside($0) }
    applications = reader.applications
    services = reader.services
    modules = reader.modules
    unknownKeys = reader.unknownKeys
  }

  /// A file without any micro-app and service.
  package static var empty: MobileRuntimeFile {
    get throws(ConfigError) {
      let root = PropertyListValue.dictionary([("Applications", .array([])), ("Services", .array([]))])
      return try MobileRuntimeFile(PropertyListDocument.make(root, file: "MobileRuntime.plist"))
    }
  }
}

extension ConfigError.Code {
  /// A value of another type than the key has.
  package static var runtimeType: Self { malformed("runtime-type") }
  /// An entry without a name or a class.
  package static var runtimeMember: Self { malformed("runtime-member") }
  /// Another entry has the name already.
  package static var runtimeNameTaken: Self { malformed("runtime-name-taken") }
}
