// swift-tools-version: 6.1
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

func module(
    _ name: String, _ dependencies: [Target.Dependency] = [], path: String? = nil, exclude: [String] = []
) -> Target {
    .target(name: name, dependencies: dependencies, path: path, exclude: exclude, swiftSettings: settings)
}

func program(_ name: String, _ dependencies: [Target.Dependency], path: String) -> Target {
    .executableTarget(name: name, dependencies: dependencies, path: path, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: settings)
}

let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let metrics: Target.Dependency = .product(name: "Metrics", package: "swift-metrics")
let coreMetrics: Target.Dependency = .product(name: "CoreMetrics", package: "swift-metrics")
let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let protobuf: Target.Dependency = .product(name: "SwiftProtobuf", package: "swift-protobuf")

// A dependency of what reaches a network: without the trait none of them is fetched or built.
func network(_ name: String, _ package: String) -> Target.Dependency {
    .product(name: name, package: package, condition: .when(traits: ["Hub"]))
}

let lifecycle = network("ServiceLifecycle", "swift-service-lifecycle")
let hubCarrier: Target.Dependency = .target(name: "HubCarrier", condition: .when(traits: ["Hub"]))
let sockets = [network("NIOCore", "swift-nio"), network("NIOPosix", "swift-nio")]
let networkStack: [Target.Dependency] =
    sockets + [
        network("GRPCCore", "grpc-swift-2"),
        network("GRPCNIOTransportHTTP2Posix", "grpc-swift-nio-transport"),
        network("NIOTLS", "swift-nio"),
        network("NIOHTTP1", "swift-nio"),
        network("NIOHPACK", "swift-nio-http2"),
        network("NIOHTTP2", "swift-nio-http2"),
        network("NIOSSL", "swift-nio-ssl"),
        network("X509", "swift-certificates"),
        network("SwiftASN1", "swift-asn1"),
        network("SwiftProtobuf", "swift-protobuf"),
        lifecycle,
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
        .executable(name: "tripstore", targets: ["tripstore"]),
        .executable(name: "tripstore-hub", targets: ["tripstore-hub"]),
        // For the packages of benchmarks and of trials alone: the layers below the store, the tool's commands, and the tests' supports.
        .library(
            name: "TripStoreLayers",
            targets: [
                "Platform", "LMDB", "Events", "EventLog", "LogExchange", "Trips", "ProjectionEngine", "TripProjections",
            ]),
        .library(name: "HubDatabase", targets: ["HubDatabase"]),
        .library(name: "TripStoreCommands", targets: ["TripStoreCommands"]),
        .library(name: "RandomQuestions", targets: ["RandomQuestions"]),
        .library(name: "Spawning", targets: ["Spawning"]),
        .library(name: "StoreSupport", targets: ["StoreSupport"]),
    ],
    traits: [
        .trait(name: "Hub", description: "Exchange over a network: the products HubCarrier and tripstore-hub.")
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
        .systemLibrary(name: "CLMDB", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev"]), .brew(["lmdb"])]),
        .target(name: "CPlatform"),
        // zlib and zstd, and libpq, looked up when the program runs: nothing is linked.
        .target(name: "CCompression"),
        .target(name: "CPostgreSQL"),
        // The files of HTML pages, which `#embed` takes in: constants of the program.
        .target(name: "CPages", exclude: ["Files"]),
        module("Platform", ["CPlatform"]),
        module("LMDBFormat", ["Platform"]),
        module("LMDB", ["CLMDB", "CPlatform", "LMDBFormat", "Platform"]),
        module("Events", [crypto]),
        module("EventLog", ["Events", "LMDB", crypto, logging, metrics], exclude: ["commit.proto"]),
        module(
            "LogExchange", ["CCompression", "Events", "EventLog", "LMDB", crypto, logging, metrics],
            exclude: ["exchange.proto", "Sessions/session.proto"]),
        module("Trips", ["Events", crypto], exclude: ["trips.proto"]),
        module(
            "ProjectionEngine", ["Events", "EventLog", "LMDB", crypto, logging, metrics],
            path: "Projections/ProjectionEngine"),
        module(
            "TripProjections", ["Events", "EventLog", "LMDB", "Trips", "ProjectionEngine"],
            path: "Projections/TripProjections"),
        module(
            "TripStore",
            [
                "Events", "EventLog", "LMDB", "LogExchange", "Trips", "ProjectionEngine", "TripProjections", logging,
                metrics,
            ]),
        // Empty without the trait `Hub`.
        module(
            "HubCarrier",
            ["CPlatform", "Events", "EventLog", "LogExchange", "TripStore", crypto, logging, coreMetrics]
                + networkStack,
            exclude: ["hub.proto", "Health/README.md", "Health/health.proto"]),
        // Hubs that share a PostgreSQL database.
        module("HubDatabase", ["CPostgreSQL", "Events", "EventLog", "LMDB", "LogExchange", crypto, logging]),
        // For the tests and previews of apps.
        module("TripStoreTestSupport", ["TripStore"]),
        module("TravelingSnails", ["Trips"]),
        module("TripFormats", ["CPages", "TripStore", "TravelingSnails"]),

        // The tool. What reaches a network is a program of its own, to which the other one hands over.
        module(
            "TripStoreCommands",
            [
                "TripStore", "TravelingSnails", "TripFormats", "HubDatabase", "Platform", argumentParser, logging,
                metrics,
            ],
            path: "Tools/TripStoreCommands"),
        program("tripstore", ["TripStoreCommands"], path: "Tools/tripstore"),
        module(
            "NetworkCommands",
            ["TripStoreCommands", "TripStore", "HubDatabase", argumentParser, logging, metrics, hubCarrier, lifecycle],
            path: "Tools/NetworkCommands"),
        program("tripstore-hub", ["NetworkCommands", "TripStoreCommands"], path: "Tools/tripstore-hub"),
        // An app with fields of its own, as a sample: it needs nothing but the store.
        program("journal", ["TripStore"], path: "Tools/samples/Journal"),

        // Modules that tests share, and programs that they start.
        module("Spawning", path: "Tools/Spawning"),
        module("TestSupport", ["Events", "Spawning"], path: "Tests/TestSupport"),
        module(
            "StoreSupport",
            [
                "Spawning", "TripStore", "TripStoreTestSupport", "EventLog", "Events", "LogExchange", "TestSupport",
                logging,
            ],
            path: "Tests/StoreSupport"),
        module(
            "LMDBSupport", ["LMDB", "LMDBFormat", "LMDBProcess", "Platform", "Spawning", "TestSupport"],
            path: "Tests/LMDBSupport"),
        module("DatabaseSupport", ["HubDatabase", "Spawning"], path: "Tests/DatabaseSupport"),
        module("RandomQuestions", ["TripStore", "TripStoreTestSupport"], path: "Tests/RandomQuestions"),
        program("LMDBProcess", ["LMDB"], path: "Tests/LMDBProcess"),
        program("CrashWriter", ["TripStore"], path: "Tests/CrashWriter"),
        // Does one thing many times, for valgrind to count.
        program(
            "HotPaths", ["TripStore", "TripStoreTestSupport", "EventLog", "Events", "LMDB", logging],
            path: "Tests/HotPaths"),

        tests("PlatformTests", ["Platform", "LMDB", "LMDBSupport", "TestSupport"]),
        tests("LMDBFormatTests", ["LMDBFormat", "LMDB", "LMDBSupport", "TestSupport"]),
        tests("LMDBTests", ["LMDB", "LMDBSupport", "TestSupport"], exclude: ["read_files.py"]),
        tests("EventsTests", ["Events", "TestSupport", crypto]),
        tests("TripsTests", ["Events", "TestSupport", "Trips"]),
        tests("EventLogTests", ["EventLog", "Events", "LMDB", "Platform", "StoreSupport", "TestSupport"]),
        tests(
            "LogExchangeTests",
            [
                "LogExchange", "EventLog", "Events", "HubDatabase", "DatabaseSupport", "LMDB", "Platform",
                "StoreSupport", "TestSupport", logging, protobuf, hubCarrier,
            ],
            exclude: ["Generated/README.md", "read_bundle.py"]),
        // Holds the codec against protoc, swift-protobuf, and a verifier in another language.
        tests(
            "CodecTests",
            [
                "Events", "EventLog", "LMDB", "Trips", "TripStore", "TripStoreTestSupport", "StoreSupport",
                "TestSupport",
                crypto, protobuf,
            ],
            exclude: [
                "Generated/README.md", "verify_log.py", "members.py", "conflicts.py", "frontier.py", "lists.py",
            ]),
        tests(
            "ProjectionTests",
            [
                "ProjectionEngine", "TripProjections", "TripStore", "EventLog", "Events", "Trips", "LMDB",
                "StoreSupport", "TestSupport", logging,
            ]),
        tests(
            "TripStoreTests",
            [
                "TripStore", "ProjectionEngine", "EventLog", "LMDB", "RandomQuestions", "Spawning", "StoreSupport",
                "TestSupport", logging,
            ]),
        tests("TripStoreTestSupportTests", ["TripStoreTestSupport", "TripStore", "StoreSupport", "TestSupport"]),
        tests("TravelingSnailsTests", ["TravelingSnails", "TestSupport"]),
        tests(
            "TripFormatsTests",
            ["TripFormats", "Events", "TripStore", "TravelingSnails", "StoreSupport", "TestSupport"]),
        tests(
            "ImportTests",
            ["TripStore", "TripFormats", "TravelingSnails", "StoreSupport", "TestSupport"]),
        // Compiles and runs the Swift of the documentation's pages.
        tests(
            "DocumentationTests",
            ["TripStore", "TripFormats", "TripStoreTestSupport", "StoreSupport", "TestSupport", hubCarrier]),
        tests(
            "HubDatabaseTests",
            [
                "HubDatabase", "DatabaseSupport", "Events", "EventLog", "LMDB", "LogExchange", "StoreSupport",
                "TestSupport", logging,
            ]),
        tests(
            "HubCarrierTests",
            [
                "HubCarrier", "Events", "EventLog", "LogExchange", "StoreSupport", "TestSupport", "TripStore",
                "TripStoreTestSupport", crypto, logging, coreMetrics,
            ] + networkStack,
            exclude: ["Python/hub_client.py", "Python/ask_health.py"]),
        tests(
            "TripStoreCommandsTests",
            [
                "Spawning", "TripStoreCommands", "NetworkCommands", "TravelingSnails", "DatabaseSupport",
                "StoreSupport", "TestSupport", "tripstore", "tripstore-hub", logging, hubCarrier,
            ] + sockets,
            exclude: ["Dumping/read_dump.py"]),
        tests("JournalTests", ["journal", "StoreSupport", "TestSupport", "tripstore"]),
        tests("HotPathTests", ["HotPaths", "TestSupport"]),
    ],
    // For `#embed`.
    cLanguageStandard: .gnu2x
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
        tests(
            "FuzzerTests",
            [
                "TripStore", "TripStoreCommands", "TravelingSnails", "TripFormats", "StoreSupport", "TestSupport",
                "EventLog", "Events", "LMDB", "LMDBFormat", "LogExchange", "Platform", "Trips",
            ],
            exclude: ["Driver"]))
}
