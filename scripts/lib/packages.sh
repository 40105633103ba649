# Which packages are needed, by distribution; sourced after common.sh.
# shellcheck shell=bash

# Arrays are looked up by name. The program builds without the optional ones (meson's features
# io_uring and cpuid).
# shellcheck disable=SC2034
{
	debian_optional=(libcpuid-dev liburing-dev)
	fedora_optional=(libcpuid-devel liburing-devel)
	arch_optional=(libcpuid liburing)
	debian_test_optional=(chromium jq gnuplot-nox)
	fedora_test_optional=(chromium jq gnuplot)
	arch_test_optional=(chromium jq gnuplot)
	debian_build=(meson ninja-build gcc libc6-dev pkg-config libudev-dev libblkid-dev libjansson-dev
		libinih-dev scdoc)
	debian_test=(libcmocka-dev libumockdev-dev umockdev fio sysstat hdparm mdadm bonnie++
		btrfs-progs strace util-linux cppcheck clang-tidy clang-format python3 shellcheck)
	debian_lab=(qemu-system-x86 seabios busybox-static cpio kmod udev dmsetup xz-utils pciutils
		lsscsi)
	fedora_build=(meson ninja-build gcc pkgconf-pkg-config systemd-devel libblkid-devel
		jansson-devel inih-devel scdoc)
	fedora_lab=(qemu-system-x86-core)
	fedora_test=(libcmocka-devel umockdev-devel umockdev fio sysstat hdparm mdadm bonnie++
		btrfs-progs strace util-linux cppcheck clang-tools-extra python3 ShellCheck)
	arch_build=(meson ninja gcc pkgconf systemd-libs util-linux-libs jansson libinih scdoc)
	arch_lab=(qemu-system-x86)
	arch_test=(cmocka umockdev fio sysstat hdparm mdadm bonnie++ btrfs-progs strace util-linux
		cppcheck clang python shellcheck)
}

# debian, fedora, arch or unknown
distribution() {
	local id like word
	id=$(. /etc/os-release 2>/dev/null && echo "${ID-}")
	like=$(. /etc/os-release 2>/dev/null && echo "${ID_LIKE-}")
	for word in $id $like; do
		case $word in
		debian | ubuntu) echo debian; return ;;
		fedora | rhel) echo fedora; return ;;
		arch) echo arch; return ;;
		esac
	done
	echo unknown
}

is_installed() { # DISTRIBUTION PACKAGE
	case $1 in
	debian) [ "$(dpkg-query -W -f '${db:Status-Status}' "$2" 2>/dev/null)" = installed ] ;;
	fedora) rpm -q --whatprovides "$2" >/dev/null 2>&1 ;;
	arch) pacman -Qq "$2" >/dev/null 2>&1 ;;
	esac
}

missing() { # DISTRIBUTION PACKAGE...
	local distribution=$1 package
	shift
	for package; do
		is_installed "$distribution" "$package" || echo "$package"
	done
}

apt_install() {
	as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@"
}

apt_install_updated() {
	as_root apt-get update -q && apt_install "$@"
}

# install_debian PACKAGE...: the package lists are fetched only when it does not work without.
install_debian() {
	say "installing: $*"
	apt_install "$@" >/dev/null 2>&1 </dev/null || quietly apt_install_updated "$@"
}

# need_packages build|test|lab: installs what is missing on Debian and its like; elsewhere names it.
# Fails when something that is required is missing and cannot be installed.
need_packages() {
	local distribution list=() optional=()
	distribution=$(distribution)
	if [ "$distribution" = unknown ]; then
		local -n known=debian_$1
		say "packages: this distribution is not known here; Debian's names are:"
		say "  ${known[*]} ${debian_optional[*]}"
		return 0
	fi
	local -n wanted=${distribution}_$1
	local none=() extra_name=none
	case $1 in
	build) extra_name=${distribution}_optional ;;
	test) extra_name=${distribution}_test_optional ;;
	esac
	local -n extra=$extra_name
	mapfile -t list < <(missing "$distribution" "${wanted[@]}")
	mapfile -t optional < <(missing "$distribution" "${extra[@]}")

	if [ "$distribution" != debian ]; then
		[ ${#list[@]} -eq 0 ] && [ ${#optional[@]} -eq 0 ] && return 0
		say "packages to install (required): ${list[*]:-none}; (optional): ${optional[*]:-none}"
		[ ${#list[@]} -eq 0 ]
		return
	fi
	if [ ${#list[@]} -gt 0 ] && ! install_debian "${list[@]}"; then
		say "missing, and could not be installed: ${list[*]}"
		return 1
	fi
	if [ ${#optional[@]} -gt 0 ] && ! install_debian "${optional[@]}"; then
		say "going on without: ${optional[*]}"
	fi
}
