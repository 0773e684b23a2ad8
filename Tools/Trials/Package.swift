// swift-tools-version: 6.1
import PackageDescription

// Trials that take longer than tests may, and programs that put a load on a hub: a package of its own, so that nobody who uses or
// tests the store builds them. `Tools/soak` and `Tools/simulate` run the trials, `Tools/test --trials` their tests.

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

func store(_ product: String) -> Target.Dependency { .product(name: product, package: "tripstore") }
let layers = store("TripStoreLayers")
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")

let package = Package(
    name: "tripstore-trials",
    platforms: [.macOS(.v15)],
    products: [
        // Preloaded into processes whose file operations are recorded, or fail, on Linux.
        .library(name: "FileRecorder", type: .dynamic, targets: ["FileRecorder"])
    ],
    dependencies: [
        .package(name: "tripstore", path: "../..", traits: ["Hub", "Inspector"]),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.0.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.96.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.34.0"),
    ],
    targets: [
        // Replicas that write, meet, crash and are copied, all in one process.
        .target(
            name: "Simulation",
            dependencies: [layers, store("TripStore"), store("TripStoreTestSupport"), crypto, logging],
            swiftSettings: settings),
        .executableTarget(name: "simulate", dependencies: ["Simulation", argumentParser], swiftSettings: settings),
        // Reads the suites of other programs: `Tools/conform` runs it.
        .executableTarget(
            name: "conform", dependencies: [store("TripFormats"), store("TripStore"), argumentParser],
            swiftSettings: settings),
        // Damages the files of a store and uses it with every command.
        .target(
            name: "DamageTrials",
            dependencies: [
                layers, store("Spawning"), store("TripStore"), store("TripStoreCommands"),
                store("TripStoreProjections"), store("TripStoreTestSupport"),
                argumentParser, logging,
            ],
            swiftSettings: settings),
        // Power cuts, kills and full disks.
        .target(name: "FileRecorder"),
        .target(
            name: "FaultTesting",
            dependencies: [
                layers, store("HubCarrier"), store("Spawning"), store("TripStore"), store("TripStoreTestSupport"),
                logging,
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: settings),
        // Uses stores as it is told by another process.
        .executableTarget(name: "FaultWorker", dependencies: ["FaultTesting"], swiftSettings: settings),
        .executableTarget(
            name: "soak", dependencies: ["DamageTrials", "FaultTesting", "FaultWorker", argumentParser],
            swiftSettings: settings),
        // Many replicas that use a hub at once.
        .executableTarget(
            name: "hub-load",
            dependencies: [
                "FaultTesting", layers, store("HubCarrier"), store("HubDatabase"), argumentParser, logging,
            ],
            swiftSettings: settings),
        .testTarget(name: "SimulationTests", dependencies: ["Simulation"], swiftSettings: settings),
        .testTarget(
            name: "FaultTestingTests", dependencies: ["FaultTesting", "FaultWorker", layers], swiftSettings: settings),
        .testTarget(
            name: "DamageTrialsTests",
            dependencies: ["DamageTrials", "soak", store("StoreSupport"), store("TripStoreCommands"), argumentParser],
            swiftSettings: settings),
    ]
)
