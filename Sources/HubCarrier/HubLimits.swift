#if Hub
    import LogExchange

    /// The limits that one end of a connection sets the other. The defaults suit a hub on the open network.
    public struct HubLimits: Sendable {
        /// Connections of a listener at a time; where all are those of members, more are closed at once.
        public var connections = 4096
        /// The connections among them whose clients have not shown who they are: a quarter of all at most, or 16.
        public var greetings = 512
        /// Connections of one address whose clients have not shown who they are; an IPv6 network of 64 bits counts as one address.
        public var greetingsOfAddress = 512
        /// Connections of one replica that is served; another one ends the oldest.
        public var connectionsOfReplica = 8
        /// Connections that ask for the hub's health.
        public var healthConnections = 16
        /// Sessions of a connection at a time.
        public var streamsPerConnection = 16
        /// The most bytes of a frame.
        public var largestFrame = SessionFrame.largest
        /// The bytes that may wait to be received of a client that is not admitted yet.
        public var openingBytes = SessionFrame.largestGreeting
        /// The bytes that HTTP/2's flow control lets the other send ahead, for each stream: also while reads pause. A listener allows
        /// its clients `listenerWindow`.
        public var window = 1024 * 1024
        /// The bytes that a listener lets each stream of its clients send ahead. They may be many, and what waits there is not counted in its
        /// memory.
        public var listenerWindow = 65_535

        /// From TCP's connection to the end of TLS's handshake.
        public var handshake = Duration.seconds(10)
        /// A connection without a session is closed after this time; one whose client has not shown who it is, whatever else it does.
        public var idle = Duration.seconds(60)
        /// Each end pings after this time without bytes of the other.
        public var ping = Duration.seconds(30)
        /// A connection that brought no bytes for so long, answers to pings included, is closed. Longer than
        /// `ping`.
        public var silence = Duration.seconds(75)
        /// The time that a part of a segment or a content needs on the slowest link, 100 bytes a second: while it lies in the buffers of an
        /// end, a ping or its answer lies behind it. A connection with a session may be silent so much longer, and answers to pings are waited for so much
        /// longer; what ends a session that is silent or moves nothing are its own limits.
        public var part = Duration.seconds(330)
        /// The time that an end that closes gives the other for taking the last frames.
        public var farewell = Duration.seconds(10)
        /// How long a listener that shuts down waits for its sessions before it cuts them.
        public var draining = Duration.seconds(10)
        /// From a name to an open stream: for clients.
        public var connecting = Duration.seconds(20)

        public init() {}
    }
#endif
