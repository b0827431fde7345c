//! Names of the programs that print lines with a meaning.

/// Who prints a line. A number, because the table of rules is packed into bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Runner(u8);

impl Runner {
    /// Not known, or several print the same line.
    pub const UNKNOWN: Self = Self(0);
    /// Compilers, shells and other tools that run no tests.
    #[cfg(feature = "files")]
    pub const TOOL: Self = Self(1);
    /// npm and the like, which run other tools and have no summary of tests.
    pub const NPM: Self = Self(2);
    pub const NEXTEST: Self = Self(3);
    pub const VITEST: Self = Self(4);
    pub const UNITTEST: Self = Self(5);
    pub const GO: Self = Self(6);
    /// PHPUnit, JUnit 4 and Maven, which have lines in common.
    pub const XUNIT: Self = Self(7);
    /// JUnit's console.
    pub const JUNIT: Self = Self(8);
    pub const JEST: Self = Self(9);
    pub const MOCHA: Self = Self(10);
    /// node:test and other printers of TAP.
    pub const TAP: Self = Self(11);
    pub const UVU: Self = Self(18);
    pub const PYTEST: Self = Self(12);
    pub const CARGO: Self = Self(13);
    /// RSpec, minitest and test-unit.
    pub const RUBY: Self = Self(14);
    pub const GRADLE: Self = Self(15);
    pub const DOTNET: Self = Self(16);
}

#[cfg(feature = "files")]
impl Runner {
    pub const PLAYWRIGHT: Self = Self(17);
    pub const JASMINE: Self = Self(19);
    pub const CTEST: Self = Self(20);
    pub const AVA: Self = Self(21);
    /// Reports that are data: JUnit's XML, and mocha's and Jest's JSON. What they quote is no statement of a tool.
    pub const REPORT: Self = Self(22);
    pub const TERRAFORM: Self = Self(23);
    pub const GTEST: Self = Self(24);
    pub const EXUNIT: Self = Self(25);
    pub const RUBOCOP: Self = Self(26);
    pub const BUN: Self = Self(27);
    pub const DENO: Self = Self(28);
}

impl Runner {
    /// Returns whether it is a report.
    #[cfg(feature = "files")]
    pub fn is_report(self) -> bool {
        self == Self::REPORT
    }

    /// Returns whether it is a report.
    #[cfg(not(feature = "files"))]
    pub const fn is_report(self) -> bool {
        false
    }

    /// Returns whether it is Playwright.
    #[cfg(feature = "files")]
    fn is_playwright(self) -> bool {
        self == Self::PLAYWRIGHT
    }

    /// Returns whether it is Playwright.
    #[cfg(not(feature = "files"))]
    const fn is_playwright(self) -> bool {
        false
    }

    /// Runners that mark a passed test in the same way.
    const MARKED_ALIKE: [Self; 3] = [Self::VITEST, Self::JEST, Self::MOCHA];

    pub const fn number(self) -> u8 {
        self.0
    }

    pub const fn numbered(number: u8) -> Self {
        Self(number)
    }

    /// Returns a bit of its own.
    pub const fn bit(self) -> u32 {
        1 << (self.0 % 32)
    }

    /// Returns whether it prints a summary of tests.
    pub const fn has_summary(self) -> bool {
        self.0 > Self::NPM.0
    }

    /// Returns whether its success is the last that it prints, so that what stands below is of another command.
    pub fn ends_with_success(self) -> bool {
        const RUNNERS: [Runner; 4] =
            [Runner::CARGO, Runner::PYTEST, Runner::UNITTEST, Runner::NEXTEST];
        !self.has_summary() || RUNNERS.contains(&self)
    }

    /// Returns whether its runs print nothing when they begin, so that what a test logs of another run and the summary of
    /// the tests themselves look alike.
    pub fn begins_silently(self) -> bool {
        self == Self::MOCHA || self == Self::RUBY
    }

    /// Returns whether the counts in its summary stand below the failures: below files or suites that failed.
    pub fn begins_with_failures(self) -> bool {
        self == Self::JEST || self == Self::VITEST || self.is_playwright()
    }

    /// Returns whether it may be the runner of tests whose runner is `of`, as far as that is known.
    pub fn may_run(self, of: Self) -> bool {
        if of == Self::UNKNOWN { Self::MARKED_ALIKE.contains(&self) } else { of == self }
    }

    /// Returns the bits of the runners whose failures its summary covers: nextest shows cargo's output of failed tests.
    pub const fn covered(self) -> u32 {
        let shown = if self.0 == Self::NEXTEST.0 { Self::CARGO.bit() } else { 0 };
        self.bit() | shown
    }
}
