#if Hub
    public import LogExchange

    extension ExchangeError.Code {
        /// An address is none of a hub.
        public static let wrongAddress = ExchangeError.Code(rawValue: "wrongAddress")
        /// No host has the name, or the names cannot be resolved now.
        public static let noSuchHost = ExchangeError.Code(rawValue: "noSuchHost")
        /// Nothing listens at the address, or no way leads there.
        public static let notReachable = ExchangeError.Code(rawValue: "notReachable")
        /// There was no answer in time.
        public static let timedOut = ExchangeError.Code(rawValue: "timedOut")
        /// The server there speaks no TLS, none that is new enough, or is no hub.
        public static let notAHub = ExchangeError.Code(rawValue: "notAHub")
        /// The server's certificate is not valid at this time. Its operator can renew it.
        public static let certificateExpired = ExchangeError.Code(rawValue: "certificateExpired")
        /// A certificate or a key cannot be used.
        public static let unusableCertificate = ExchangeError.Code(rawValue: "unusableCertificate")
        /// The address to listen on is taken, or not of this machine.
        public static let cannotListen = ExchangeError.Code(rawValue: "cannotListen")
    }
#endif
