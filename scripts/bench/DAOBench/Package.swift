// swift-tools-version: 6.2
import PackageDescription

// Times calls of DAO methods; scripts/bench/storage-dao builds and runs it. It is a package of its own, as an app is, so that
// its document is compiled by the plug-in that apps have.
let package = Package(
  name: "DAOBench",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "mpaaskit", path: "../../..", traits: ["Crypto"])],
  targets: [
    .executableTarget(
      name: "DAOBench",
      dependencies: [
        .product(name: "MPaaSDAO", package: "mpaaskit"), .product(name: "MPaaSDAORuntime", package: "mpaaskit"),
      ],
      path: ".", exclude: ["bench.xml", "plain.c", "beside.c"], sources: ["main.swift", "Beside.swift"],
      plugins: [.plugin(name: "DAO", package: "mpaaskit")])
  ]
)
