import ArgumentParser
import PolyclinicPortal

extension ConfigCommand {
  struct Balancer: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "balancer",
      abstract: "Print a configuration for a load balancer in front of several machines.",
      subcommands: [NGINX.self, HAProxy.self])

    struct Machines: ParsableArguments {
      @OptionGroup var options: InstallationOptions
      @Argument(help: "The machines as HOST or HOST:PORT (default: those in the database).")
      var hosts: [String] = []

      func site() throws -> BalancerSite {
        let local = try options.localInstallation()
        let machines = try hosts.isEmpty ? local.machines().map(\.name) : hosts
        return BalancerSite(configuration: local.configuration, machines: machines)
      }
    }

    struct NGINX: ParsableCommand {
      static let configuration = CommandConfiguration(
        commandName: "nginx", abstract: "Print a site for nginx, to include in http { }.")
      @OptionGroup var machines: Machines

      func run() throws { print(try machines.site().nginx()) }
    }

    struct HAProxy: ParsableCommand {
      static let configuration = CommandConfiguration(
        commandName: "haproxy", abstract: "Print a configuration for HAProxy.")
      @OptionGroup var machines: Machines

      func run() throws { print(try machines.site().haproxy()) }
    }
  }
}
