// swift-tools-version: 6.1
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

// Below, several names are one text, with spaces between them. A target names the layers right below it, which bring those below them.
func words(_ text: String) -> [String] { text.split(separator: " ").map { String($0) } }
// Examples of pages and samples of apps, which see no more than an app sees.
let apps = words("DocumentationTests journal reading-list")
func targets(_ names: String) -> [Target.Dependency] { words(names).map { .byName(name: $0) } }

func module(
    _ name: String, _ names: String = "", _ products: [Target.Dependency] = [], in folder: String = "Sources",
    exclude: String = ""
) -> Target {
    .target(
        name: name, dependencies: targets(names) + products, path: "\(folder)/\(name)", exclude: words(exclude),
        swiftSettings: settings)
}

func library(_ name: String) -> Product { .library(name: name, targets: [name]) }

func program(_ name: String, _ names: String, _ products: [Target.Dependency] = [], at path: String) -> Target {
    .executableTarget(
        name: name, dependencies: targets(names) + products, path: path, packageAccess: !apps.contains(name),
        swiftSettings: settings)
}

func tests(_ name: String, _ names: String, _ products: [Target.Dependency] = [], exclude: String = "") -> Target {
    .testTarget(
        name: name, dependencies: targets(names + " TestSupport") + products, exclude: words(exclude),
        packageAccess: !apps.contains(name), swiftSettings: settings)
}

let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let metrics: Target.Dependency = .product(name: "Metrics", package: "swift-metrics")
let coreMetrics: Target.Dependency = .product(name: "CoreMetrics", package: "swift-metrics")
let recording = [crypto, logging, metrics]
let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let protobuf: Target.Dependency = .product(name: "SwiftProtobuf", package: "swift-protobuf")

// A dependency of what reaches a network, or of another trait: without it none of them is fetched or built.
func network(_ name: String, _ package: String, _ trait: String = "Hub") -> Target.Dependency {
    .product(name: name, package: package, condition: .when(traits: [trait]))
}

let hubCarrier: Target.Dependency = .target(name: "HubCarrier", condition: .when(traits: ["Hub"]))
let networkStack = [
    ("NIOCore", "swift-nio"), ("NIOPosix", "swift-nio"), ("NIOTLS", "swift-nio"), ("NIOHTTP1", "swift-nio"),
    ("NIOHPACK", "swift-nio-http2"), ("NIOHTTP2", "swift-nio-http2"), ("NIOSSL", "swift-nio-ssl"),
    ("GRPCCore", "grpc-swift-2"), ("GRPCNIOTransportHTTP2Posix", "grpc-swift-nio-transport"),
    ("X509", "swift-certificates"), ("SwiftASN1", "swift-asn1"), ("SwiftProtobuf", "swift-protobuf"),
    ("ServiceLifecycle", "swift-service-lifecycle"),
].map { network($0, $1) }

let webServer = [
    ("Hummingbird", "hummingbird"), ("HummingbirdCore", "hummingbird"), ("HTTPTypes", "swift-http-types"),
    ("NIOCore", "swift-nio"),
].map { network($0, $1, "Inspector") }

let package = Package(
    name: "tripstore",
    // Built and tested on Linux alone.
    platforms: [.iOS(.v18), .macOS(.v15), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        // For apps: the store; a network for it, with the trait `Hub`; and imports and exports.
        library("TripStore"), library("HubCarrier"),
        // For an app's own transports between stores, whose frames or messages they carry, and its own views.
        library("TripStoreTransports"), library("TripStoreProjections"),
        // For programs that serve hubs over a PostgreSQL database.
        library("HubDatabase"),
        // For people at a command line. What reaches a network is a program of its own.
        .executable(name: "tripstore", targets: ["tripstore"]),
        .executable(name: "tripstore-hub", targets: ["tripstore-hub"]),
        .executable(name: "tripstore-inspect", targets: ["tripstore-inspect"]),
        // For this repository's packages of benchmarks and of trials alone.
        .library(
            name: "TripStoreLayers",
            targets: words("Platform LMDB Events EventLog LogExchange Trips ProjectionEngine TripProjections")),
    ] + words("TripStoreCommands RandomQuestions Spawning StoreSupport TripFormats TripStoreTestSupport").map(library),
    traits: [
        .trait(name: "Hub", description: "Exchange over a network: the products HubCarrier and tripstore-hub."),
        .trait(name: "Inspector", description: "A page over a store: the product tripstore-inspect."),
        .trait(name: "BundledLMDB", description: "LMDB from a package that an app brings along."),
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
        // For `tripstore-inspect` alone.
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        // It is nowhere: an app has it by path.
        .package(url: "https://tripstore.invalid/tripstore-lmdb", "0.9.24"..<"0.10.0"),
    ],
    targets: [
        .systemLibrary(name: "CLMDB"),
        .target(name: "CPlatform"),
        // zlib and zstd, and libpq, looked up when the program runs: nothing is linked.
        .target(name: "CCompression"),
        .target(name: "CPostgreSQL"),
        // The files of HTML pages, which `#embed` takes in: constants of the program.
        .target(name: "CPages", exclude: ["Files"]),
        module("Platform", "CPlatform"),
        module("LMDBFormat", "Platform"),
        module("LMDBLibrary", "CLMDB", [network("LMDBSources", "tripstore-lmdb", "BundledLMDB")]),
        module("LMDB", "LMDBLibrary LMDBFormat"),
        module("Events", "", [crypto]),
        module("EventLog", "Events LMDB", recording, exclude: "commit.proto"),
        module(
            "LogExchange", "CCompression EventLog", recording, exclude: "exchange.proto Sessions/session.proto"),
        module("ProjectionEngine", "EventLog", recording, in: "Projections"),
        module("Trips", "Events", [crypto], exclude: "trips.proto"),
        module("TripProjections", "Trips ProjectionEngine", in: "Projections"),
        module("TripStore", "LogExchange TripProjections", [logging, metrics]),
        module("TripStoreProjections", "TripStore", in: "Projections"),
        module("TripStoreTransports", "TripStore"),
        module("TripStoreTestSupport", "TripStore"),
        module("TravelingSnails", "Platform Trips"),
        module("TripFormats", "CPages TripStore TravelingSnails"),
        module(
            "HubCarrier", "TripStoreTransports", [crypto, logging, coreMetrics] + networkStack,
            exclude: "hub.proto Health/README.md Health/health.proto"),
        module("HubDatabase", "CPostgreSQL LogExchange", [crypto, logging]),
        module("TripStoreCommands", "TripFormats HubDatabase", [argumentParser, logging, metrics], in: "Tools"),
        module("NetworkCommands", "TripStoreCommands", [argumentParser, logging, metrics, hubCarrier], in: "Tools"),
        program("tripstore", "TripStoreCommands", at: "Tools/tripstore"),
        program("tripstore-hub", "NetworkCommands", at: "Tools/tripstore-hub"),
        program("tripstore-inspect", "TripStoreCommands", webServer + [logging], at: "Tools/tripstore-inspect"),
        // Samples of apps: with fields of their own, and of another domain. They need nothing but the store.
        program("journal", "TripStore", at: "Tools/samples/Journal"),
        program("reading-list", "TripStore", at: "Tools/samples/ReadingList"),
        // Modules that tests share, and programs that they start.
        module("Spawning", in: "Tools"),
        module("TestSupport", "Events Spawning", in: "Tests"),
        module("StoreSupport", "TripStoreTestSupport TestSupport", [logging], in: "Tests"),
        module("LMDBSupport", "LMDB LMDBProcess TestSupport", in: "Tests"),
        module("DatabaseSupport", "HubDatabase Spawning", in: "Tests"),
        module("RandomQuestions", "TripStoreTestSupport", in: "Tests"),
        program("LMDBProcess", "LMDB", at: "Tests/LMDBProcess"),
        program("CrashWriter", "TripStore", at: "Tests/CrashWriter"),
        // Does one thing many times, for valgrind to count.
        program("HotPaths", "TripStoreTestSupport", [logging], at: "Tests/HotPaths"),
        tests("PlatformTests", "Platform LMDBSupport"),
        tests("LMDBFormatTests", "LMDBFormat LMDBSupport"),
        tests("LMDBTests", "LMDB LMDBSupport", exclude: "read_files.py"),
        tests("EventsTests", "Events", [crypto]),
        tests("TripsTests", "Trips"),
        tests("EventLogTests", "EventLog StoreSupport"),
        tests(
            "LogExchangeTests", "LogExchange DatabaseSupport StoreSupport", [logging, protobuf, hubCarrier],
            exclude: "Generated/README.md read_bundle.py"),
        // Holds the codec against protoc, swift-protobuf, and a verifier in another language.
        tests(
            "CodecTests", "TripStore StoreSupport", [crypto, protobuf],
            exclude: "Generated/README.md verify_log.py erasing.py members.py conflicts.py frontier.py lists.py"),
        tests("ProjectionTests", "ProjectionEngine TripProjections StoreSupport", [logging]),
        tests("TripStoreTests", "TripStoreProjections TripStoreTransports RandomQuestions StoreSupport", [logging]),
        tests("TripStoreTestSupportTests", "TripStoreTestSupport StoreSupport"),
        tests("TravelingSnailsTests", "TravelingSnails"),
        tests("TripFormatsTests", "TripFormats StoreSupport"),
        tests("ImportTests", "TripFormats StoreSupport"),
        tests("DocumentationTests", "TripStoreProjections TripStoreTransports TripFormats StoreSupport", [hubCarrier]),
        tests("HubDatabaseTests", "HubDatabase DatabaseSupport StoreSupport", [logging]),
        tests(
            "HubCarrierTests", "HubCarrier StoreSupport", [crypto, logging, coreMetrics],
            exclude: "Python/hub_client.py Python/ask_health.py"),
        tests(
            "TripStoreCommandsTests",
            "NetworkCommands DatabaseSupport StoreSupport tripstore tripstore-hub tripstore-inspect",
            [logging, hubCarrier], exclude: "Adding/type_answers.py Dumping/read_dump.py"),
        tests("JournalTests", "journal reading-list StoreSupport tripstore"),
        tests("HotPathTests", "HotPaths"),
    ],
    cLanguageStandard: .gnu2x  // For `#embed`.
)

// The fuzzers try their seeds, and some changes of them, with every run of the tests. `Tools/fuzz` names the runtime library of
// libFuzzer: what the fuzzers need is then built for them, instrumented, and in a folder of its own.
if let runtime = Context.environment["TRIPSTORE_FUZZ_RUNTIME"], !runtime.isEmpty {
    let fuzzed = "Platform LMDBFormat LMDB Events EventLog LogExchange TravelingSnails TripFormats"
    for target in package.targets where words(fuzzed).contains(target.name) {
        // In one option: of several the last one counts.
        target.swiftSettings = settings + [.unsafeFlags(["-sanitize=fuzzer,address"])]
    }
    package.targets += [
        .systemLibrary(name: "LibFuzzer", path: "Tests/LibFuzzer"),
        .executableTarget(
            name: "fuzz", dependencies: targets("LibFuzzer TestSupport " + fuzzed), path: "Tests/FuzzerTests",
            exclude: ["FuzzerTests.swift"], swiftSettings: settings + [.unsafeFlags(["-sanitize=address"])],
            linkerSettings: [.unsafeFlags(["-sanitize=address", "-Xlinker", runtime]), .linkedLibrary("stdc++")]),
    ]
} else {
    package.targets.append(tests("FuzzerTests", "TripStoreCommands StoreSupport", exclude: "Driver"))
}
