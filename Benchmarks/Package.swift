// swift-tools-version: 6.1
import PackageDescription

// A package of its own, so that what we are measured against is no dependency of the product.

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let store: Target.Dependency = .product(name: "TripStore", package: "tripstore")
let layers: Target.Dependency = .product(name: "TripStoreLayers", package: "tripstore")

let package = Package(
    name: "tripstore-benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "tripstore", path: "..", traits: ["Hub", "Inspector"]),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        // The library for SQLite that Swift programs use most.
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        .systemLibrary(
            name: "SystemLMDB", pkgConfig: "lmdb",
            providers: [.apt(["liblmdb-dev"]), .brew(["lmdb"])]),
        // LMDB as a C program uses it: the limit of what a log on LMDB can reach.
        .target(name: "CPeer", dependencies: ["SystemLMDB"]),
        // What the C library puts off, and memory that the system has to get, come before something is timed.
        .target(name: "CMemory"),
        .target(
            name: "BenchmarkData",
            dependencies: [store, layers, .product(name: "RandomQuestions", package: "tripstore")],
            swiftSettings: settings),
        .target(
            name: "Peers",
            dependencies: [
                "BenchmarkData", store, layers, .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "RandomQuestions", package: "tripstore"),
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "bench",
            dependencies: [
                "BenchmarkData", "CMemory", "CPeer", "Peers", store, layers,
                .product(name: "TripFormats", package: "tripstore"),
                .product(name: "RandomQuestions", package: "tripstore"),
                .product(name: "HubCarrier", package: "tripstore"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings),
    ]
)
