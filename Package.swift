// swift-tools-version: 6.1
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let metrics: Target.Dependency = .product(name: "Metrics", package: "swift-metrics")
let coreMetrics: Target.Dependency = .product(name: "CoreMetrics", package: "swift-metrics")
let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")

// What only `HubCarrier` needs: without the trait none of it is fetched or built.
func network(_ name: String, _ package: String) -> Target.Dependency {
    .product(name: name, package: package, condition: .when(traits: ["Hub"]))
}

let network: [Target.Dependency] = [
    network("GRPCCore", "grpc-swift-2"),
    network("GRPCNIOTransportHTTP2Posix", "grpc-swift-nio-transport"),
    network("NIOCore", "swift-nio"),
    network("NIOPosix", "swift-nio"),
    network("NIOTLS", "swift-nio"),
    network("NIOHTTP1", "swift-nio"),
    network("NIOHPACK", "swift-nio-http2"),
    network("NIOHTTP2", "swift-nio-http2"),
    network("NIOSSL", "swift-nio-ssl"),
    network("X509", "swift-certificates"),
    network("SwiftASN1", "swift-asn1"),
    network("SwiftProtobuf", "swift-protobuf"),
    network("ServiceLifecycle", "swift-service-lifecycle"),
]

let package = Package(
    name: "tripstore",
    // Others are not named: the system library comes from apt or brew, and nothing was built for them.
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "TripStore", targets: ["TripStore"]),
        // A network for stores, with the trait `Hub`.
        .library(name: "HubCarrier", targets: ["HubCarrier"]),
        .library(name: "TripFormats", targets: ["TripFormats"]),
        .library(name: "TripStoreTestSupport", targets: ["TripStoreTestSupport"]),
        // The tool's commands, so that the package of benchmarks can time an import without a process around it.
        .library(name: "TripStoreCommands", targets: ["TripStoreCommands"]),
        // The layers below the store, which the package of benchmarks times by themselves.
        .library(
            name: "TripStoreLayers",
            targets: ["Events", "EventLog", "LogExchange", "Trips", "ProjectionEngine", "TripProjections"]),
        // For the package of benchmarks, which asks SQLite the same questions.
        .library(name: "RandomQuestions", targets: ["RandomQuestions"]),
        .executable(name: "tripstore", targets: ["tripstore"]),
        // Preloaded into processes whose file operations are recorded, or fail: for `Tools/soak` and its tests, on Linux.
        .library(name: "FileRecorder", type: .dynamic, targets: ["FileRecorder"]),
    ],
    traits: [
        .trait(
            name: "Hub",
            description: "Exchange over a network: the product HubCarrier, and the tool's commands for it.")
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.0.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
        // For `HubCarrier` alone, and swift-protobuf for the tests: what other programs make of our bytes.
        .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0"),
        .package(url: "https://github.com/grpc/grpc-swift-2", from: "2.4.0"),
        .package(url: "https://github.com/grpc/grpc-swift-nio-transport", from: "2.9.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.96.0"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.42.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.34.0"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.14.0"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.0.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.6.0"),
    ],
    targets: [
        .systemLibrary(
            name: "CLMDB", pkgConfig: "lmdb",
            providers: [.apt(["liblmdb-dev"]), .brew(["lmdb"])]),
        .target(name: "CPlatform"),
        .target(name: "Platform", dependencies: ["CPlatform"], swiftSettings: settings),
        .target(name: "LMDBFormat", dependencies: ["Platform"], swiftSettings: settings),
        .target(
            name: "LMDB", dependencies: ["CLMDB", "CPlatform", "LMDBFormat", "Platform"], swiftSettings: settings),
        .target(name: "Events", dependencies: [crypto], swiftSettings: settings),
        .target(
            name: "EventLog", dependencies: ["Events", "LMDB", crypto, logging, metrics], exclude: ["commit.proto"],
            swiftSettings: settings),
        // zlib and zstd, looked up when the program runs: nothing is linked.
        .target(name: "CCompression"),
        .target(
            name: "LogExchange", dependencies: ["CCompression", "Events", "EventLog", "LMDB", logging, metrics],
            exclude: ["exchange.proto", "Sessions/session.proto"], swiftSettings: settings),
        .target(name: "Trips", dependencies: ["Events", crypto], exclude: ["trips.proto"], swiftSettings: settings),
        .target(
            name: "ProjectionEngine", dependencies: ["Events", "EventLog", "LMDB", crypto, logging, metrics],
            path: "Projections/ProjectionEngine", swiftSettings: settings),
        .target(
            name: "TripProjections", dependencies: ["Events", "EventLog", "LMDB", "Trips", "ProjectionEngine"],
            path: "Projections/TripProjections", swiftSettings: settings),
        .target(
            name: "TripStore",
            dependencies: [
                "Events", "EventLog", "LMDB", "LogExchange", "Trips", "ProjectionEngine", "TripProjections", logging,
                metrics,
            ],
            swiftSettings: settings),
        // Empty without the trait `Hub`.
        .target(
            name: "HubCarrier",
            dependencies: ["Events", "EventLog", "LogExchange", "TripStore", crypto, logging, coreMetrics] + network,
            exclude: ["hub.proto", "Health/README.md", "Health/health.proto"], swiftSettings: settings),
        // libpq, looked up when the program runs: nothing is linked.
        .target(name: "CPostgreSQL"),
        // Hubs that share a PostgreSQL database.
        .target(
            name: "HubDatabase",
            dependencies: ["CPostgreSQL", "Events", "EventLog", "LMDB", "LogExchange", crypto, logging],
            swiftSettings: settings),
        // Starts a server of the tests' own.
        .target(
            name: "DatabaseSupport", dependencies: ["HubDatabase", "Spawning"], path: "Tests/DatabaseSupport",
            swiftSettings: settings),
        .testTarget(
            name: "HubDatabaseTests",
            dependencies: [
                "HubDatabase", "DatabaseSupport", "Events", "EventLog", "LMDB", "LogExchange", "StoreSupport",
                "TestSupport", logging,
            ],
            swiftSettings: settings),
        .testTarget(
            name: "HubCarrierTests",
            dependencies: [
                "HubCarrier", "Events", "EventLog", "LogExchange", "StoreSupport", "TestSupport", "TripStore",
                "TripStoreTestSupport", crypto, logging, coreMetrics,
            ] + network,
            exclude: ["Python/hub_client.py", "Python/ask_health.py"], swiftSettings: settings),
        // For the tests and previews of apps.
        .target(name: "TripStoreTestSupport", dependencies: ["TripStore"], swiftSettings: settings),
        .target(name: "TravelingSnails", swiftSettings: settings),
        .target(
            name: "TripFormats", dependencies: ["TripStore", "TravelingSnails"], swiftSettings: settings),
        .testTarget(
            name: "TripFormatsTests",
            dependencies: ["TripFormats", "Events", "TripStore", "TravelingSnails", "StoreSupport", "TestSupport"],
            swiftSettings: settings),
        .target(
            name: "TripStoreCommands",
            dependencies: [
                "TripStore", "TravelingSnails", "TripFormats", "HubDatabase", "Platform", argumentParser, logging,
                metrics,
                .target(name: "HubCarrier", condition: .when(traits: ["Hub"])),
                network("ServiceLifecycle", "swift-service-lifecycle"),
            ],
            path: "Tools/TripStoreCommands", swiftSettings: settings),
        .executableTarget(
            name: "tripstore", dependencies: ["TripStoreCommands"],
            path: "Tools/tripstore", swiftSettings: settings),
        // Replicas that write, meet, crash and are copied, all in one process: for the tests and `Tools/simulate`.
        .target(
            name: "Simulation",
            dependencies: [
                "TripStore", "TripStoreTestSupport", "EventLog", "Events", "LMDB", "LogExchange", crypto, logging,
            ],
            path: "Tools/Simulation", swiftSettings: settings),
        .executableTarget(
            name: "simulate", dependencies: ["Simulation", argumentParser], path: "Tools/SimulateTool",
            swiftSettings: settings),
        // Starts processes one at a time, so that none inherits another's pipes: for the tests and `Tools/soak`.
        .target(name: "Spawning", path: "Tools/Spawning", swiftSettings: settings),
        // Damages the files of a store and uses it with every command: for the tests and `Tools/soak damage`.
        .target(
            name: "DamageTrials",
            dependencies: [
                "Spawning", "TripStoreCommands", "TripStore", "TripStoreTestSupport", "TripProjections", "EventLog",
                argumentParser, logging,
            ],
            path: "Tools/DamageTrials", swiftSettings: settings),
        .testTarget(
            name: "DamageTrialsTests",
            dependencies: ["DamageTrials", "TripStoreCommands", "soak", "StoreSupport", argumentParser],
            swiftSettings: settings),
        .testTarget(name: "SimulationTests", dependencies: ["Simulation"], swiftSettings: settings),
        // Power cuts, kills and full disks, for the tests and `Tools/soak`.
        .target(name: "FileRecorder", path: "Tools/FileRecorder"),
        .target(
            name: "FaultTesting",
            dependencies: [
                "Spawning", "TripStore", "TripStoreTestSupport", "EventLog", "Events", "LMDB", "LogExchange", logging,
                .target(name: "HubCarrier", condition: .when(traits: ["Hub"])),
                network("NIOCore", "swift-nio"), network("NIOPosix", "swift-nio"), network("NIOSSL", "swift-nio-ssl"),
            ],
            path: "Tools/FaultTesting", swiftSettings: settings),
        // Uses stores as it is told by another process.
        .executableTarget(
            name: "FaultWorker", dependencies: ["FaultTesting"], path: "Tools/FaultWorker", swiftSettings: settings),
        .executableTarget(
            name: "soak", dependencies: ["DamageTrials", "FaultTesting", "FaultWorker", "tripstore", argumentParser],
            path: "Tools/SoakTool", swiftSettings: settings),
        // Many replicas that use a hub at once, for `Tools/soak load`.
        .executableTarget(
            name: "hub-load",
            dependencies: [
                "EventLog", "Events", "HubDatabase", "LMDB", "LogExchange", argumentParser, logging,
                .target(name: "HubCarrier", condition: .when(traits: ["Hub"])),
            ],
            path: "Tools/HubLoad", swiftSettings: settings),
        .testTarget(
            name: "FaultTestingTests", dependencies: ["FaultTesting", "FaultWorker", "LMDB", "tripstore"],
            swiftSettings: settings),
        .target(
            name: "TestSupport", dependencies: ["Events", "Spawning"], path: "Tests/TestSupport",
            swiftSettings: settings),
        .testTarget(name: "EventsTests", dependencies: ["Events", "TestSupport", crypto], swiftSettings: settings),
        .testTarget(
            name: "TripsTests", dependencies: ["Events", "TestSupport", "Trips"], swiftSettings: settings),
        // What the tests need a second process for: to grow, read, fork and crash beside the first.
        .executableTarget(
            name: "LMDBProcess", dependencies: ["LMDB"], path: "Tests/LMDBProcess", swiftSettings: settings),
        .target(
            name: "LMDBSupport",
            dependencies: ["LMDB", "LMDBFormat", "LMDBProcess", "Platform", "Spawning", "TestSupport"],
            path: "Tests/LMDBSupport", swiftSettings: settings),
        .testTarget(
            name: "PlatformTests", dependencies: ["Platform", "LMDB", "LMDBSupport", "TestSupport"],
            swiftSettings: settings),
        // LMDB makes the files, and reads what the builder wrote.
        .testTarget(
            name: "LMDBFormatTests", dependencies: ["LMDBFormat", "LMDB", "LMDBSupport", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "LMDBTests", dependencies: ["LMDB", "LMDBSupport", "TestSupport"], swiftSettings: settings),
        .target(
            name: "StoreSupport",
            dependencies: [
                "Spawning", "TripStore", "TripStoreTestSupport", "EventLog", "Events", "LogExchange", "TestSupport",
                logging,
            ],
            path: "Tests/StoreSupport",
            swiftSettings: settings),
        .testTarget(
            name: "EventLogTests",
            dependencies: ["EventLog", "Events", "LMDB", "Platform", "StoreSupport", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "LogExchangeTests",
            dependencies: [
                "LogExchange", "EventLog", "Events", "HubDatabase", "DatabaseSupport", "LMDB", "Platform",
                "StoreSupport",
                "TestSupport", logging,
                .product(name: "SwiftProtobuf", package: "swift-protobuf"),
                .target(name: "HubCarrier", condition: .when(traits: ["Hub"])),
            ],
            exclude: ["Generated/README.md", "read_bundle.py"], swiftSettings: settings),
        // Holds the codec against protoc, swift-protobuf, and a verifier in another language.
        .testTarget(
            name: "CodecTests",
            dependencies: [
                "Events", "EventLog", "LMDB", "Trips", "TripStore", "StoreSupport", "TestSupport", crypto,
                .product(name: "SwiftProtobuf", package: "swift-protobuf"),
            ],
            exclude: ["Generated/README.md", "verify_log.py", "members.py"], swiftSettings: settings),
        // Writes until it is killed.
        .executableTarget(
            name: "CrashWriter", dependencies: ["TripStore"], path: "Tests/CrashWriter", swiftSettings: settings),
        // Random questions, and what a plain filter says of them.
        .target(
            name: "RandomQuestions", dependencies: ["TripStore", "TripStoreTestSupport"],
            path: "Tests/RandomQuestions", swiftSettings: settings),
        .testTarget(
            name: "TripStoreTests",
            dependencies: [
                "TripStore", "ProjectionEngine", "EventLog", "LMDB", "RandomQuestions", "Spawning", "StoreSupport",
                "TestSupport", "CrashWriter", logging,
            ],
            swiftSettings: settings),
        .testTarget(
            name: "TripStoreTestSupportTests",
            dependencies: ["TripStoreTestSupport", "TripStore", "StoreSupport", "TestSupport"],
            swiftSettings: settings),
        // Compiles and runs the Swift of the documentation's pages.
        .testTarget(
            name: "DocumentationTests",
            dependencies: [
                "TripStore", "TripFormats", "TripStoreTestSupport", "StoreSupport",
                .target(name: "HubCarrier", condition: .when(traits: ["Hub"])),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "ProjectionTests",
            dependencies: [
                "ProjectionEngine", "TripProjections", "TripStore", "EventLog", "Events", "Trips", "LMDB",
                "StoreSupport", "TestSupport", logging,
            ],
            swiftSettings: settings),
        .testTarget(
            name: "TripStoreCommandsTests",
            dependencies: [
                "Spawning", "TripStoreCommands", "TravelingSnails", "DatabaseSupport", "StoreSupport", "TestSupport",
                "tripstore", logging,
                .target(name: "HubCarrier", condition: .when(traits: ["Hub"])),
                network("NIOCore", "swift-nio"), network("NIOPosix", "swift-nio"),
            ],
            exclude: ["Dumping/read_dump.py"],
            swiftSettings: settings),
        // An app with fields of its own, as a sample: it needs nothing but the store.
        .executableTarget(
            name: "journal", dependencies: ["TripStore"], path: "Tools/samples/Journal", swiftSettings: settings),
        .testTarget(
            name: "JournalTests", dependencies: ["journal", "StoreSupport", "TestSupport", "tripstore"],
            swiftSettings: settings),
        .testTarget(
            name: "ImportTests",
            dependencies: [
                "TripStoreCommands", "TripStore", "TripFormats", "TravelingSnails", "StoreSupport", "TestSupport",
            ],
            swiftSettings: settings),
        // Does one thing many times, for valgrind to count.
        .executableTarget(
            name: "HotPaths",
            dependencies: ["TripStore", "TripStoreTestSupport", "EventLog", "Events", "LMDB", logging],
            path: "Tests/HotPaths", swiftSettings: settings),
        .testTarget(name: "HotPathTests", dependencies: ["HotPaths", "TestSupport"], swiftSettings: settings),
        .testTarget(
            name: "TravelingSnailsTests", dependencies: ["TravelingSnails", "TestSupport"], swiftSettings: settings),
    ]
)

// The fuzzers try their seeds, and some changes of them, with every run of the tests.
//
// `Tools/fuzz` names the runtime library of libFuzzer. What the fuzzers need is then built for them, instrumented, and in a
// folder of its own; nobody else builds any of it.
if let runtime = Context.environment["TRIPSTORE_FUZZ_RUNTIME"], !runtime.isEmpty {
    // In one option: of several the last one counts.
    let instruments = ["-sanitize=fuzzer,address"]
    let fuzzed = [
        "Platform", "LMDBFormat", "LMDB", "Events", "EventLog", "LogExchange", "TravelingSnails", "TripFormats",
    ]
    for target in package.targets where fuzzed.contains(target.name) {
        target.swiftSettings = settings + [.unsafeFlags(instruments)]
    }
    package.targets += [
        .systemLibrary(name: "LibFuzzer", path: "Tests/LibFuzzer"),
        .executableTarget(
            name: "fuzz", dependencies: ["LibFuzzer", "TestSupport"] + fuzzed.map { .byName(name: $0) },
            path: "Tests/FuzzerTests",
            exclude: ["FuzzerTests.swift"],
            swiftSettings: settings + [.unsafeFlags(["-sanitize=address"])],
            linkerSettings: [.unsafeFlags(["-sanitize=address", "-Xlinker", runtime]), .linkedLibrary("stdc++")]),
    ]
} else {
    package.targets.append(
        .testTarget(
            name: "FuzzerTests",
            dependencies: [
                "TripStore", "TripStoreCommands", "TravelingSnails", "TripFormats", "StoreSupport", "TestSupport",
                "EventLog", "Events", "LMDB", "LMDBFormat", "LogExchange", "Platform", "Trips",
            ],
            exclude: ["Driver"], swiftSettings: settings))
}
