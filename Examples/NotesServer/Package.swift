// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "NotesServer",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "SnapshotStore", path: "../.."),
    .package(url: "https://github.com/swhitty/FlyingFox", exact: "0.27.1"),
  ],
  targets: [
    .executableTarget(
      name: "notes-server",
      dependencies: [
        .product(name: "SnapshotStore", package: "SnapshotStore"),
        .product(name: "SnapshotNotebook", package: "SnapshotStore"),
        .product(name: "FlyingFox", package: "FlyingFox"),
      ],
      // The page is part of the program, so the program is one file.
      resources: [.embedInCode("Page")])
  ],
  swiftLanguageModes: [.v6]
)
