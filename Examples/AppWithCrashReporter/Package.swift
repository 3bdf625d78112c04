// swift-tools-version: 6.2
import PackageDescription

// The package of an app as it depends on the kit: by the repository's address and a version. CrashReporter brings no
// other package; hotpatches, logs and transfers need `traits: ["Crypto"]` beside the version.
let package = Package(
  name: "AppWithCrashReporter",
  platforms: [.macOS(.v15), .iOS(.v15)],
  dependencies: [
    .package(url: "https://github.com/mpaaskit/mpaaskit", from: "0.2.0")
  ],
  targets: [
    .executableTarget(
      name: "AppWithCrashReporter",
      dependencies: [.product(name: "CrashReporter", package: "mpaaskit")])
  ]
)
